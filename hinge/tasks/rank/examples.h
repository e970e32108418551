// Makes examples of records, with what the schema of training knows, and counts what it does not.
#pragma once

#include "hinge/tasks/rank/rank_task.h"
#include "hinge/tasks/rank/schema.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

// What is written of a query's documents, in the order of the data.
struct QueryNames {
  long long id = 0;
  std::vector<Index> place;  // of each stored document in that order
  std::vector<std::string> documents;
};

using RankData = RecordData<std::vector<QueryNames>, RankTask<Comparisons>, RankTask<FirstPlace>,
                            RankTask<Subset>, RankTask<Interleaving>, RankTask<TopK>>;

// Documents with a grade come first.
std::unique_ptr<Data> make_examples(const RankSchema& schema, RankRecords records);

inline const Documents& documents_of(const RankData& data, std::size_t query) {
  return data.visit([&](const auto& of) -> const Documents& { return of.examples()[query].input; });
}
// Of those that are judged.
inline const std::vector<double>& grades_of(const RankData& data, std::size_t query) {
  return data.visit([&](const auto& of) -> const auto& { return of.examples()[query].label.grade; });
}

}  // namespace hinge
