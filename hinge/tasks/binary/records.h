// What rows of two classes say: samples of rows, each with its features and a class by name where it is known.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hinge/tasks/class_names.h"
#include "hinge/tasks/compared_inputs.h"

namespace hinge {

struct SampleRecord {
  std::vector<SparseRow> rows;
  std::vector<int> labels;  // numbers of BinaryRecords::classes, or kHiddenClass
  double weight = 1;
};

struct BinaryRecords : OtherInputs {
  std::vector<SampleRecord> samples;
  StringTable classes;   // in the order of first appearance
  bool grouped = false;  // whether the file names samples; else all rows are one

  // Adds a row to the last sample. Indices ascend, each once. Throws InputError, which says the number of the
  // row in its sample.
  void add(SparseRow row, std::optional<std::string_view> label) {
    if (samples.empty()) samples.emplace_back();
    SampleRecord& sample = samples.back();
    check_row(row, sample.weight, sample.rows.size());
    sample.rows.push_back(std::move(row));
    sample.labels.push_back(class_number(label, classes));
  }
};

// The rows of all samples, as pointers.
template <class Records>
auto all_rows(Records& records) {
  std::vector<decltype(&records.samples[0].rows[0])> rows;
  for (auto& sample : records.samples)
    for (auto& row : sample.rows) rows.push_back(&row);
  return rows;
}
inline constexpr auto row_at = [](auto* row) -> auto& { return *row; };

}  // namespace hinge
