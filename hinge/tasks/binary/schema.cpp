#include "hinge/tasks/binary/schema.h"

#include "hinge/core/errors.h"
#include "hinge/tasks/labels.h"

namespace hinge {

BinarySchema::BinarySchema(const BinaryRecords& records, const BinaryOptions& options)
    : features_(all_rows(records), row_at, records, options.training.bias, options.kernel),
      goal_(options.training.goal()) {
  fix_classes(records, options.training.positive);
  if (features_.size() == 0)
    fail("no row has a feature, by which it could be classified: add some, or a `bias`.");
}

void BinarySchema::fix_classes(const BinaryRecords& records, const std::string& positive) {
  const std::vector<std::string> names = sorted_names(records.classes);
  if (names.empty()) fail("no row has a label: give some a class in place of '?'.");
  if (names.size() == 1)
    fail("every label is '{}', but there is nothing to learn from one class: add rows of another.", names[0]);
  if (positive.empty() && names.size() > 2)
    fail(
        "there are {} classes, such as '{}' and '{}': say which is `positive`, so that all others are "
        "negative, or use the "
        "task multiclass.",
        names.size(), names[0], names[1]);
  if (!positive.empty() && records.classes.find(positive) == StringTable::kNone)
    fail("no row is positive: `positive` is '{}', but no row has that label; check its spelling.", positive);
  classes_.intern(positive.empty() ? names[1] : positive);
  for (const std::string& name : names) classes_.intern(name);
}

int BinarySchema::level(int number, const StringTable& classes) const {
  if (number < 0) return kHiddenClass;
  return classes.text(static_cast<Index>(number)) == positive() ? 1 : 0;
}

void BinarySchema::save(Archive& archive) const {
  classes_.save(archive, "classes");
  features_.save(archive);
}

BinarySchema::BinarySchema(const Archive& archive, const BinaryOptions& options)
    : features_(archive), goal_(options.training.goal()) {
  classes_.load(archive, "classes");
  if (classes_.size() < 2 || features_.size() == 0)
    fail("the model has too few classes or features: train the model again.");
}

}  // namespace hinge
