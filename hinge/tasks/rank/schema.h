// What training fixes about documents: the features, and what a ranking should be good at.
#pragma once

#include "hinge/core/archive.h"
#include "hinge/tasks/feature_set.h"
#include "hinge/tasks/rank/documents.h"
#include "hinge/tasks/rank/options.h"
#include "hinge/tasks/rank/records.h"

namespace hinge {

class RankSchema {
 public:
  RankSchema(const RankRecords& records, const GoalOptions& goal);
  RankSchema(const Archive& archive, const RankOptions& options);
  void save(Archive& archive) const { archive.arrays["features"] = features_.indices(); }

  const RankGoal& goal() const { return goal_; }
  const FeatureSet& features() const { return features_; }
  Index dimension() const { return static_cast<Index>(features_.size()) + (has_bias() ? 1 : 0); }
  std::string feature_name(Index weight) const {
    return weight == features_.size() ? "bias" : fmt::to_string(features_.indices()[weight]);
  }

  // <w, x> of the first |scores| documents.
  void score(const Documents& documents, Weights w, std::span<double> scores) const {
    documents.score(w.first(features_.size()), scores);
    if (has_bias())
      for (double& f : scores) f += w[features_.size()];
  }

 private:
  bool has_bias() const { return goal_.loss == RankLoss::relevance; }

  RankGoal goal_;
  FeatureSet features_;
};

}  // namespace hinge
