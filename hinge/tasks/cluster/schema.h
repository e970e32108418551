// What training fixes about documents: the comparators that their items have fields for, and the features of
// pairs.
#pragma once

#include "hinge/core/archive.h"
#include "hinge/core/string_table.h"
#include "hinge/tasks/cluster/choose_comparators.h"
#include "hinge/tasks/cluster/options.h"

namespace hinge {

class ClusterSchema {
 public:
  ClusterSchema(ChosenComparators comparators, StringTable features, const ClusterModel& options);
  ClusterSchema(const Archive& archive, const ClusterOptions& options);
  void save(Archive& archive) const;

  const std::vector<std::string>& comparators() const { return comparators_.kept; }
  // By training; a model has none.
  const std::vector<std::string>& left_out() const { return comparators_.left_out; }
  const StringTable& features() const { return features_; }
  const OneClusterTask& task() const { return task_; }
  Index dimension() const { return static_cast<Index>(features_.size()); }
  std::string feature_name(Index feature) const { return std::string(features_.text(feature)); }

 private:
  void make_task(const ClusterModel& options);

  ChosenComparators comparators_;
  StringTable features_;
  OneClusterTask task_;
};

}  // namespace hinge
