#include "hinge/tasks/multilabel/reader.h"

namespace hinge {
namespace {

// The labels of "1,?3" into the record.
void parse_labels(const SvmlightReader& reader, std::string_view text, StringTable& labels,
                  LabelSetRecord& record) {
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view name = text.substr(0, comma);
    const bool last = comma == text.size();
    text.remove_prefix(last ? comma : comma + 1);
    if (name.empty() || (text.empty() && !last))
      fail_at(reader.file(), reader.line(),
              "a comma has no label before or behind it: write labels as 1,3 and leave the column out where "
              "there are none.");
    if (name == "?") {
      record.others_unknown = true;
      continue;
    }
    const bool unknown = name.starts_with('?');
    if (unknown) name.remove_prefix(1);
    (unknown ? record.unknown : record.present).push_back(labels.intern(name));
  }
  if (const Index twice = MultilabelRecords::named_twice(record); twice != StringTable::kNone)
    fail_at(reader.file(), reader.line(), "the label '{}' is there twice: keep one.", labels.text(twice));
}

}  // namespace

MultilabelRecords read_label_sets(const std::vector<std::string>& files, const Selection& selection) {
  MultilabelRecords records;
  std::size_t read = 0;
  for (const auto& file : files) {
    SvmlightReader reader(file, SvmlightReader::Label::may_be_missing);
    SvmlightExample example;
    const std::size_t before = read;
    while (reader.next(example)) {
      if (!selection(read++)) continue;
      LabelSetRecord record;
      parse_labels(reader, example.label, records.labels, record);
      record.row = example.row;
      record.weight = example.weight;
      records.rows.push_back(std::move(record));
    }
    if (read == before) fail_at(reader.file(), 0, "has no example: give a file with at least one.");
  }
  return records;
}

}  // namespace hinge
