#include "hinge/tasks/rank/examples.h"

#include <nlohmann/json.hpp>

namespace hinge {

std::unique_ptr<Data> make_examples(const RankSchema& schema, RankRecords records) {
  const RankGoal& goal = schema.goal();
  const Index features = schema.features().size();
  std::size_t documents = 0, ungraded = 0, nothing = 0, unseen = 0;
  return with_rank_task(goal, features, [&]<class T>(T task) -> std::unique_ptr<Data> {
    std::vector<Example<T>> examples;
    std::vector<QueryNames> names;
    for (QueryRecord& record : records.queries) {
      QueryRecord query = std::exchange(record, {});
      std::vector<SparseRow> rows;
      std::vector<double> grade;
      QueryNames& named = names.emplace_back(QueryNames{query.id, {}, {}});
      for (const bool graded : {true, false})
        for (std::size_t k = 0; k < query.documents.size(); ++k) {
          if (query.documents[k].grade.has_value() != graded) continue;
          rows.push_back(std::move(query.documents[k].row));
          unseen += schema.features().renumber(rows.back());
          if (graded) grade.push_back(*query.documents[k].grade);
          named.place.push_back(static_cast<Index>(k));
        }
      for (DocumentRecord& document : query.documents) named.documents.push_back(std::move(document.name));
      documents += rows.size();
      ungraded += rows.size() - grade.size();
      Documents x(rows, grade.size(), features);
      x.level = levels(goal, grade);
      Judgement y = judge(goal, std::move(grade));
      nothing += indifferent(goal, y) ? 1 : 0;
      const double weight = query.weight * query_weight(goal, y);
      examples.push_back({std::move(x), std::move(y), weight});
    }
    nlohmann::json facts = {{"queries", examples.size()},
                            {"documents", documents},
                            {"documents_without_a_grade", ungraded},
                            {"features", features},
                            {"queries_that_teach_nothing", nothing},
                            {"unseen_features", unseen}};
    return std::make_unique<RankData>(std::make_shared<const T>(std::move(task)), std::move(examples),
                                      std::move(facts), std::move(names));
  });
}

}  // namespace hinge
