// What files of label sets say: features by their number, labels by their name, a weight.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "hinge/core/errors.h"
#include "hinge/core/string_table.h"
#include "hinge/tasks/svmlight.h"

namespace hinge {

struct LabelSetRecord {
  SparseRow row;
  std::vector<Index> present, unknown;  // numbers of MultilabelRecords::labels
  bool others_unknown = false;          // of the labels that neither lists; else they are absent
  double weight = 1;
};

struct MultilabelRecords {
  std::vector<LabelSetRecord> rows;
  StringTable labels;  // in the order of first appearance

  // Indices ascend, each once; so do labels, in any order. Throws InputError, which says the number of the
  // row.
  void add(SparseRow row, std::span<const std::string_view> present,
           std::span<const std::string_view> unknown = {}, bool others_unknown = false, double weight = 1) {
    check_row(row, weight, rows.size());
    LabelSetRecord record{std::move(row), {}, {}, others_unknown, weight};
    for (const std::string_view name : present) record.present.push_back(labels.intern(name));
    for (const std::string_view name : unknown) record.unknown.push_back(labels.intern(name));
    if (const Index twice = named_twice(record); twice != StringTable::kNone)
      fail("row {} names the label '{}' twice: name each once.", rows.size(), labels.text(twice));
    rows.push_back(std::move(record));
  }

  // A label that a record names twice; kNone where there is none.
  static Index named_twice(const LabelSetRecord& record) {
    std::vector<Index> all = record.present;
    all.insert(all.end(), record.unknown.begin(), record.unknown.end());
    std::ranges::sort(all);
    const auto twice = std::ranges::adjacent_find(all);
    return twice == all.end() ? StringTable::kNone : *twice;
  }
};

}  // namespace hinge
