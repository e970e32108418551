// What a rank tells of its queries (shared_records.h): whether a document has a grade, and which features there are.
#pragma once

#include "hinge/tasks/rank/records.h"
#include "hinge/tasks/shared_records.h"

namespace hinge {

class ToldQueries {
 public:
  ToldQueries() = default;
  explicit ToldQueries(const RankRecords& records) {
    FeaturesUsed used;
    for (const QueryRecord& query : records.queries)
      for (const DocumentRecord& document : query.documents) {
        used.add(document.row);
        graded_ = graded_ || document.grade;
      }
    features_ = used.row().index;
  }
  void keep(Snapshot& snapshot) { snapshot(graded_, features_); }

  void add_to(RankRecords& all) const {
    DocumentRecord document{{features_, std::vector<float>(features_.size(), 1)}, std::nullopt};
    if (graded_) document.grade = 0;
    all.queries.push_back({0, {std::move(document)}, 1});
  }

 private:
  bool graded_ = false;
  std::vector<Index> features_;
};

}  // namespace hinge
