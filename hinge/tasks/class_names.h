// Classes of examples by name: what records say, what training fixes, and what later data has besides.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hinge/core/string_table.h"

namespace hinge {

inline constexpr int kHiddenClass = -1;

// Its number in the order of first appearance; kHiddenClass where nothing is known.
int class_number(std::optional<std::string_view> name, StringTable& names);

// The classes that training data has, in an order that does not depend on that of the data. Throws InputError
// where there is but one; `examples` is what to add more of.
StringTable training_classes(const StringTable& names, std::string_view examples);

// The classes 0, 1, ... K − 1 of training and K, K + 1, ... of later data that training never saw.
class ClassNames {
 public:
  ClassNames() = default;
  // `names` are those of the records.
  ClassNames(const StringTable& classes, const StringTable& names);

  // The number of a class of the records; kHiddenClass stays.
  int operator[](int class_of_records) const {
    return class_of_records < 0 ? class_of_records : number_[static_cast<std::size_t>(class_of_records)];
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<int> number_;
  std::vector<std::string> texts_;
};

}  // namespace hinge
