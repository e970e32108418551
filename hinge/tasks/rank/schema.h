// What training fixes about documents: the features, and what a ranking should be good at.
#pragma once

#include "hinge/core/archive.h"
#include "hinge/tasks/rank/documents.h"
#include "hinge/tasks/rank/options.h"
#include "hinge/tasks/rank/records.h"
#include "hinge/tasks/row_features.h"

namespace hinge {

class RankSchema {
 public:
  RankSchema(const RankRecords& records, const RankOptions& options);
  RankSchema(const Archive& archive, const RankOptions& options);
  void save(Archive& archive) const { features_.save(archive); }

  const RankGoal& goal() const { return goal_; }
  const RowFeatures& features() const { return features_; }
  Index dimension() const { return features_.size() + (has_bias() ? 1 : 0); }
  std::string feature_name(Index weight) const {
    return features_.name(weight);  // behind the last one comes the bias
  }

  // <w, x> of all documents, as they are stored.
  Vector scores(const Documents& documents, Weights w) const {
    Vector scores(documents.size());
    documents.score(w.first(features_.size()), scores);
    if (has_bias())
      for (double& f : scores) f += w[features_.size()];
    return scores;
  }

 private:
  bool has_bias() const { return goal_.loss == RankLoss::relevance; }

  RankGoal goal_;
  RowFeatures features_;
};

}  // namespace hinge
