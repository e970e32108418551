// What training fixes about documents: the comparators that their items have fields for, and the features of
// pairs.
#pragma once

#include "hinge/core/archive.h"
#include "hinge/core/string_table.h"
#include "hinge/tasks/cluster/comparators.h"
#include "hinge/tasks/cluster/options.h"

namespace hinge {

class ClusterSchema {
 public:
  ClusterSchema(std::vector<std::string> comparators, StringTable features, const ClusterModel& options);
  ClusterSchema(const Archive& archive, const ClusterOptions& options);
  void save(Archive& archive) const;

  const std::vector<std::string>& comparators() const { return comparators_; }
  const StringTable& features() const { return features_; }
  const OneClusterTask& task() const { return task_; }
  Index dimension() const { return static_cast<Index>(features_.size()); }
  std::string feature_name(Index feature) const { return std::string(features_.text(feature)); }

 private:
  void make_task(const ClusterModel& options);

  std::vector<std::string> comparators_;
  StringTable features_;
  OneClusterTask task_;
};

}  // namespace hinge
