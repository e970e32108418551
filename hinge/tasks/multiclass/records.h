// What svmlight rows of classes say: features by their number, a class by its name or none, a weight.
#pragma once

#include "hinge/tasks/class_names.h"
#include "hinge/tasks/multiclass/multiclass.h"

namespace hinge {

struct MulticlassRecords {
  std::vector<Example<MulticlassTask>> rows;  // whose labels are numbers of `classes`, or kHiddenClass
  StringTable classes;                        // in the order of first appearance
  std::string note;                           // where labels look like something else

  // Indices ascend, each once. Throws InputError, which says the number of the row.
  void add(SparseRow row, std::optional<std::string_view> label, double weight = 1) {
    check_row(row, weight, rows.size());
    rows.push_back({std::move(row), class_number(label, classes), weight});
  }
};

}  // namespace hinge
