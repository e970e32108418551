#include "hinge/tasks/multiclass/reader.h"

#include <algorithm>

#include "hinge/core/errors.h"
#include "hinge/tasks/fields.h"
#include "hinge/tasks/label_sets.h"
#include "hinge/tasks/labels.h"
#include "hinge/tasks/string_lines.h"

namespace hinge {
namespace {

// "2,3": how LIBSVM writes an example of several classes.
bool lists_numbers(std::string_view label) {
  std::vector<std::string_view> numbers;
  split_fields<','>(label, numbers);
  return numbers.size() > 1 && std::ranges::all_of(numbers, [](std::string_view text) {
           double number;
           return parse_number(text, number);
         });
}

// Its label: a class, one of several, or none.
int read_label(std::string_view text, const RecordPlace& place, MulticlassRecords& records) {
  std::vector<std::string_view> names;
  const bool several = labels_in_text(text, names);
  if (several) require_labels(names, *place.file, place.line);
  const int label = several ? records.set_number(names) : class_number(label_in_text(text), records.classes);
  records.class_places.resize(records.classes.size(), place);
  records.set_places.resize(records.sets.size(), place);
  return label;
}

}  // namespace

MulticlassRecords read_strings(const std::vector<std::string>& files, const Selection& selection) {
  MulticlassRecords records;
  std::size_t read = 0;
  for (const auto& file : files) {
    StringReader reader(file);
    StringLine line;
    const auto name = std::make_shared<const std::string>(reader.file());
    const std::size_t before = read;
    while (reader.next(line)) {
      if (!selection(read++)) continue;
      const int label = read_label(line.label, {name, reader.line()}, records);
      records.rows.push_back({{}, label, 1});
      records.strings.emplace_back(line.string);
    }
    if (read == before) fail_at(reader.file(), 0, "has no example: give a file with at least one.");
  }
  return records;
}

MulticlassRecords read_classes(const std::vector<std::string>& files, const Selection& selection) {
  MulticlassRecords records;
  std::size_t read = 0;
  for (const auto& file : files) {
    SvmlightReader reader(file);
    SvmlightExample example;
    const auto name = std::make_shared<const std::string>(reader.file());
    const std::size_t before = read;
    while (reader.next(example)) {
      if (!selection(read++)) continue;
      if (records.note.empty() && lists_numbers(example.label))
        records.note = fmt::format(
            "{}:{} has the label '{}', which is taken for the name of one class: several labels an example "
            "are for the task multilabel",
            reader.file(), reader.line(), example.label);
      const int label = read_label(example.label, {name, reader.line()}, records);
      records.rows.push_back({example.row, label, example.weight});
    }
    if (read == before) fail_at(reader.file(), 0, "has no example: give a file with at least one.");
  }
  return records;
}

}  // namespace hinge
