// What svmlight rows of classes say: features by their number, a class by its name, one of several, or none, a weight.
#pragma once

#include <span>

#include "hinge/tasks/class_names.h"
#include "hinge/tasks/compared_inputs.h"
#include "hinge/tasks/multiclass/multiclass.h"
#include "hinge/tasks/record_place.h"

namespace hinge {

inline constexpr auto input_of = [](auto& example) -> auto& { return example.input; };

struct MulticlassRecords : OtherInputs {
  // Labels are numbers of `classes`, kHiddenClass, or MulticlassTask::kSets − s for one of set s.
  std::vector<Example<MulticlassTask>> rows;
  StringTable classes;  // in the order of first appearance
  std::vector<std::vector<int>> sets;
  std::vector<RecordPlace> class_places, set_places;  // where files say each of them first
  std::string note;                                   // where labels look like something else

  // Indices ascend, each once. Throws InputError, which says the number of the row.
  void add(SparseRow row, std::optional<std::string_view> label, double weight = 1) {
    check_row(row, weight, rows.size());
    rows.push_back({std::move(row), class_number(label, classes), weight});
  }
  // The class is one of these.
  void add(SparseRow row, std::span<const std::string_view> one_of, double weight = 1) {
    check_row(row, weight, rows.size());
    rows.push_back({std::move(row), set_number(one_of), weight});
  }
  int set_number(std::span<const std::string_view> one_of) {
    if (one_of.size() == 1) return class_number(one_of[0], classes);
    std::vector<int>& set = sets.emplace_back();
    for (const std::string_view name : one_of) set.push_back(class_number(name, classes));
    return MulticlassTask::kSets - static_cast<int>(sets.size() - 1);
  }
};

}  // namespace hinge
