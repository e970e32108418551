#include "hinge/tasks/rank/schema.h"

#include <algorithm>

namespace hinge {
namespace {

RowFeatures features_of(const RankRecords& records, const KernelOptions& kernel) {
  std::vector<const SparseRow*> rows;
  bool graded = false;
  for (const QueryRecord& query : records.queries)
    for (const DocumentRecord& document : query.documents) {
      rows.push_back(&document.row);
      graded = graded || document.grade;
    }
  if (!graded) fail("no document has a grade: give some a number in place of '?'.");
  return {rows, [](const SparseRow* row) -> const SparseRow& { return *row; }, 0, kernel};
}

}  // namespace

RankSchema::RankSchema(const RankRecords& records, const RankOptions& options)
    : goal_(options.goal.goal()), features_(features_of(records, options.kernel)) {
  if (features_.size() == 0) fail("no document has a feature, by which it could be ranked: add some.");
}

RankSchema::RankSchema(const Archive& archive, const RankOptions& options)
    : goal_(options.goal.goal()), features_(archive, RowFeatures::Bias::no) {
  if (features_.size() == 0) fail("the model has no features: train the model again.");
}

}  // namespace hinge
