#include "hinge/tasks/class_names.h"

#include "hinge/core/errors.h"
#include "hinge/tasks/labels.h"

namespace hinge {

int class_number(std::optional<std::string_view> name, StringTable& names) {
  return name ? static_cast<int>(names.intern(*name)) : kHiddenClass;
}

StringTable training_classes(const StringTable& names, std::string_view examples) {
  StringTable classes;
  for (const std::string& name : sorted_names(names)) classes.intern(name);
  if (classes.size() == 1)
    fail("every label is '{}', but there is nothing to learn from one class: add {} of another.",
         classes.text(0), examples);
  return classes;
}

ClassNames::ClassNames(const StringTable& classes, const StringTable& names) {
  for (Index c = 0; c < classes.size(); ++c) texts_.emplace_back(classes.text(c));
  for (Index c = 0; c < names.size(); ++c) {
    const Index known = classes.find(names.text(c));
    number_.push_back(static_cast<int>(known != StringTable::kNone ? known : texts_.size()));
    if (known == StringTable::kNone) texts_.emplace_back(names.text(c));
  }
}

}  // namespace hinge
