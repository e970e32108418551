// Examples whose labels are classes, with the names of those that training never saw.
#pragma once

#include "hinge/core/string_table.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

template <class T>
class ClassData final : public TaskData<T> {
 public:
  ClassData(std::shared_ptr<const T> task, std::vector<Example<T>> examples, nlohmann::json facts,
            StringTable unseen)
      : TaskData<T>(std::move(task), std::move(examples), std::move(facts)), unseen_(std::move(unseen)) {}

  // The text of the classes 0, 1, ... K − 1, and of K, K + 1, ..., which training never saw.
  std::vector<std::string> names(const StringTable& classes) const {
    std::vector<std::string> names;
    for (const StringTable* table : {&classes, &unseen_})
      for (Index c = 0; c < table->size(); ++c) names.emplace_back(table->text(c));
    return names;
  }

 private:
  StringTable unseen_;
};

// Where each of the file's names stands among the classes; those that the classes lack come after them, and
// go into `unseen`.
inline std::vector<int> class_numbers(const StringTable& names, const StringTable& classes,
                                      StringTable& unseen) {
  std::vector<int> numbers(names.size());
  for (Index c = 0; c < names.size(); ++c) {
    const Index known = classes.find(names.text(c));
    numbers[c] = static_cast<int>(known != StringTable::kNone
                                      ? known
                                      : static_cast<Index>(classes.size()) + unseen.intern(names.text(c)));
  }
  return numbers;
}

}  // namespace hinge
