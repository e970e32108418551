#include "hinge/tasks/rank/schema.h"

#include <algorithm>

namespace hinge {

RankSchema::RankSchema(const RankRecords& records, const GoalOptions& goal) : goal_(goal.goal()) {
  std::vector<const SparseRow*> rows;
  bool graded = false;
  for (const QueryRecord& query : records.queries)
    for (const DocumentRecord& document : query.documents) {
      rows.push_back(&document.row);
      graded = graded || document.grade;
    }
  if (!graded) fail("no document has a grade: give some a number in place of '?'.");
  features_ = FeatureSet::of(rows, [](const SparseRow* row) -> const SparseRow& { return *row; });
  if (features_.size() == 0) fail("no document has a feature, by which it could be ranked: add some.");
}

RankSchema::RankSchema(const Archive& archive, const RankOptions& options) : goal_(options.goal.goal()) {
  const auto& features = archive.get<Index>("features");
  if (features.empty() || !std::ranges::is_sorted(features, std::ranges::less_equal()))
    fail("the model's features are not in order: train the model again.");
  features_ = FeatureSet(features);
}

}  // namespace hinge
