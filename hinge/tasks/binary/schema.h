// What training fixes about samples of two classes: which class is positive, the features, and the measure.
#pragma once

#include "hinge/tasks/binary/options.h"
#include "hinge/tasks/binary/records.h"
#include "hinge/tasks/input_features.h"

namespace hinge {

class BinarySchema {
 public:
  BinarySchema(const BinaryRecords& records, const BinaryOptions& options);
  BinarySchema(const Archive& archive, const BinaryOptions& options);
  void save(Archive& archive) const;

  const BinaryGoal& goal() const { return goal_; }
  const InputFeatures& features() const { return features_; }
  Index dimension() const { return features_.size(); }
  std::string feature_name(Index weight) const { return features_.name(weight); }
  // Of a class of the records: 1 for the positive one, 0 for another, kHiddenClass for none.
  int level(int number, const StringTable& classes) const;
  bool known(std::string_view name) const { return classes_.find(name) != StringTable::kNone; }
  std::string_view positive() const { return classes_.text(0); }
  // The other class, or "rest" where there are several.
  std::string_view negative() const { return classes_.size() == 2 ? classes_.text(1) : "rest"; }

 private:
  void fix_classes(const BinaryRecords& records, const std::string& positive);

  StringTable classes_;  // the positive one first
  InputFeatures features_;
  BinaryGoal goal_;
};

}  // namespace hinge
