// Reads graded documents of queries from svmlight rows, as LETOR has them (see svmlight.h):
//
//     2 qid:17 1:0.5 3:0.25  # docid = 4711
//
// The label is a grade from 0 to kMaxGrade, or ? where nobody has judged. Rows of a query stand together, in
// one file. A comment `docid = NAME`, or else its first word, names the document.
#pragma once

#include <string>
#include <vector>

#include "hinge/tasks/selection.h"
#include "hinge/tasks/svmlight.h"

namespace hinge {

struct RankedQuery {
  long long id = 0;
  double weight = 1;               // cost:W, the same in all rows
  std::vector<SparseRow> rows;     // those with a grade first
  std::vector<double> grade;       // of these
  std::vector<Index> place;        // of each row in the file's order of the query's rows
  std::vector<std::string> names;  // in that order
};

// The selected queries of all files.
std::vector<RankedQuery> read_queries(const std::vector<std::string>& files, const Selection& selection = {});

}  // namespace hinge
