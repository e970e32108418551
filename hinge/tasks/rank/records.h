// What files of graded documents say: the documents of each query in their order, each a row of features with
// a grade where somebody has judged it, and a name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hinge/core/errors.h"
#include "hinge/tasks/rank/goal.h"
#include "hinge/tasks/svmlight.h"

namespace hinge {

struct DocumentRecord {
  SparseRow row;
  std::optional<double> grade;  // from 0 to kMaxGrade
  std::string name = {};
};

struct QueryRecord {
  long long id = 0;
  std::vector<DocumentRecord> documents;
  double weight = 1;
};

struct RankRecords {
  std::vector<QueryRecord> queries;

  // Throws InputError, which says the number of the document, where it is not what a file could hold.
  void add(QueryRecord query) {
    for (std::size_t i = 0; i < query.documents.size(); ++i) {
      check_row(query.documents[i].row, query.weight, i);
      if (const auto grade = query.documents[i].grade; grade && !(*grade >= 0 && *grade <= kMaxGrade))
        fail("document {} of query {} has the grade {}, which is not from 0 to {}.", i, query.id, *grade,
             kMaxGrade);
    }
    queries.push_back(std::move(query));
  }
};

}  // namespace hinge
