// Reads graded documents of queries from svmlight rows, as LETOR has them (see svmlight.h):
//
//     2 qid:17 1:0.5 3:0.25  # docid = 4711
//
// The label is a grade from 0 to kMaxGrade, or ? where nobody has judged. Rows of a query stand together, in
// one file. A comment `docid = NAME`, or else its first word, names the document.
#pragma once

#include <string>
#include <vector>

#include "hinge/tasks/rank/records.h"
#include "hinge/tasks/selection.h"

namespace hinge {

// The selected queries of all files.
RankRecords read_queries(const std::vector<std::string>& files, const Selection& selection = {});

}  // namespace hinge
