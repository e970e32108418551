#include "hinge/tasks/binary/reader.h"

#include <unordered_set>

#include "hinge/core/errors.h"
#include "hinge/tasks/labels.h"
#include "hinge/tasks/string_lines.h"

namespace hinge {
namespace {

// "+1" and "1" are one class.
std::string_view plain(std::string_view label) {
  double number;
  return label.starts_with('+') && parse_number(label.substr(1), number) ? label.substr(1) : label;
}

class SampleReader {
 public:
  SampleReader(const Selection& selection, BinaryRecords& records)
      : selection_(selection), records_(records) {}

  void read(const std::string& file) {
    SvmlightReader reader(file);
    SvmlightExample row;
    std::size_t rows = 0;
    for (; reader.next(row); ++rows) {
      begin(reader, row, rows == 0);
      if (!chosen_) continue;
      SampleRecord& sample = records_.samples.back();
      if (row.weight != sample.weight)
        fail_at(reader.file(), reader.line(),
                "has cost:{:g} where the sample's first row has cost:{:g}: a measure of the whole weighs "
                "samples, not "
                "rows.",
                row.weight, sample.weight);
      sample.rows.push_back(row.row);
      sample.labels.push_back(class_number(label_in_text(plain(row.label)), records_.classes));
    }
    if (rows == 0) fail_at(reader.file(), 0, "has no row: give a file with at least one.");
  }

 private:
  void begin(const SvmlightReader& reader, const SvmlightExample& row, bool new_file) {
    if (!any_) records_.grouped = row.query.has_value();
    if (row.query.has_value() != records_.grouped)
      fail_at(reader.file(), reader.line(),
              "has {} qid:N, but the rows before have {}: name the sample of all or none.",
              row.query ? "a" : "no", records_.grouped ? "one" : "none");
    if (!records_.grouped) {
      chosen_ = selection_(read_++);
      if (records_.samples.empty()) records_.samples.push_back({{}, {}, row.weight});
    } else if (!any_ || new_file || *row.query != query_) {
      if (!seen_.insert(*row.query).second)
        fail_at(reader.file(), reader.line(),
                "sample {} comes back after other rows: put its rows together, or renumber one of the two.",
                *row.query);
      query_ = *row.query;
      chosen_ = selection_(read_++);
      if (chosen_) records_.samples.push_back({{}, {}, row.weight});
    }
    any_ = true;
  }

  const Selection& selection_;
  BinaryRecords& records_;
  bool any_ = false, chosen_ = false;
  long long query_ = 0;
  std::size_t read_ = 0;
  std::unordered_set<long long> seen_;
};

}  // namespace

BinaryRecords read_samples(const std::vector<std::string>& files, const Selection& selection) {
  BinaryRecords records;
  SampleReader reader(selection, records);
  for (const std::string& file : files) reader.read(file);
  return records;
}

BinaryRecords read_string_sample(const std::vector<std::string>& files, const Selection& selection) {
  BinaryRecords records;
  SampleRecord sample;
  std::size_t read = 0;
  for (const std::string& file : files) {
    StringReader reader(file);
    StringLine line;
    const std::size_t before = read;
    while (reader.next(line)) {
      if (!selection(read++)) continue;
      sample.rows.emplace_back();
      sample.labels.push_back(class_number(label_in_text(plain(line.label)), records.classes));
      records.strings.emplace_back(line.string);
    }
    if (read == before) fail_at(reader.file(), 0, "has no string: give a file with at least one.");
  }
  records.samples.push_back(std::move(sample));
  return records;
}

void refuse_unnamed_samples(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    SvmlightReader reader(file);
    SvmlightExample row;
    if (reader.next(row) && !row.query)
      fail_at(file, reader.line(),
              "has no qid:N: all rows are one sample then, and no rank can have a share of that: leave out "
              "`share_data`, or name samples.");
  }
}

}  // namespace hinge
