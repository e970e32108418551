#include "hinge/tasks/rank/any_rank.h"

#include <iterator>
#include <nlohmann/json.hpp>

#include "hinge/core/workspace.h"
#include "hinge/tasks/predictions.h"
#include "hinge/tasks/rank/metrics.h"
#include "hinge/tasks/rank/query_reader.h"
#include "hinge/tasks/rank/rank_task.h"
#include "hinge/tasks/rank/schema.h"
#include "hinge/tasks/rank/told_queries.h"
#include "hinge/tasks/row_adapter.h"

namespace hinge {
namespace {

// What is written of a query's documents, in the order of the data.
struct QueryNames {
  long long id = 0;
  std::vector<Index> place;  // of each stored document in that order
  std::vector<std::string> documents;
};

using RankData = RecordData<std::vector<QueryNames>, RankTask<Comparisons>, RankTask<FirstPlace>,
                            RankTask<Subset>, RankTask<Interleaving>, RankTask<TopK>>;

const Documents& documents(const RankData& data, std::size_t query) {
  return data.visit([&](const auto& of) -> const Documents& { return of.examples()[query].input; });
}
// Of those that are judged.
const std::vector<double>& grades(const RankData& data, std::size_t query) {
  return data.visit([&](const auto& of) -> const auto& { return of.examples()[query].label.grade; });
}

class AnyRank final : public RowAdapter<ToldQueries, RankRecords, RankData, RankSchema, RankOptions> {
 public:
  std::string name() const override { return "rank"; }
  std::vector<std::string> decodings() const override { return {"joint"}; }  // documents by their scores

  RankRecords read_records(const std::vector<std::string>& files, const Selection& selection) const override {
    return read_queries(files, selection);
  }

  // Renumbers features as the model has them, and counts what it lacks. Documents with a grade come first.
  std::unique_ptr<Data> examples_of(RankRecords records) const override {
    const RankGoal& goal = schema_->goal();
    const Index features = schema_->features().size();
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
            unseen += schema_->features().renumber(rows.back());
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

  std::string report(const nlohmann::json& metrics) const override { return rank_report(metrics); }

  // An item for each document: its place in the ranking from 0, and its score.
  std::vector<std::string> answer_names() const override { return {}; }
  Predictions predictions(const Data& data, Weights w, const Asked& asked,
                          Executor& executor) const override {
    if (asked.what == Asked::marginals) fail("documents have scores, no probabilities: ask for `scores`.");
    const std::size_t width = asked.what == Asked::scores ? 1 : 0;
    return predict_examples(data, executor, width, [&](std::size_t i) {
      ExamplePredictions one;
      Vector scores;
      std::vector<Index> order;
      document_scores(own(data), i, w, scores);
      rank_by_score(scores, order);
      one.label.resize(order.size());
      for (std::size_t j = 0; j < order.size(); ++j) one.label[order[j]] = static_cast<int>(j);
      if (width > 0) one.value.assign(scores.begin(), scores.end());
      return one;
    });
  }

 protected:
  JsonValue measure(const RankData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    const RankGoal& goal = schema_->goal();
    RankMetrics metrics(goal.at);
    struct Result {
      std::optional<QueryMetrics> metrics;
      double loss = 0;
    };
    const auto answer = [&](std::size_t i) {
      const std::vector<double>& graded = grades(data, i);
      if (graded.empty()) return Result{};
      Vector scores(graded.size()), ranked;
      schema_->score(documents(data, i), w, scores);
      std::vector<Index> order;
      rank_by_score(scores, order);
      for (Index k : order) ranked.push_back(graded[k]);
      return Result{QueryMetrics(ranked, goal.relevant, metrics.places()),
                    ranking_loss(goal, scores, graded)};
    };
    for_answers(examples, executor, answer, [&](std::size_t, const Result& result) {
      if (result.metrics)
        metrics.add(*result.metrics, result.loss);
      else
        metrics.add_ungraded();
    });
    return metrics.json();
  }

  void write(const RankData& data, Weights w, Executor& executor, OutputFile& out) const override {
    write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
      Vector& scores = scratch<Vector, struct AnyRankScores>();
      std::vector<Index>& order = scratch<std::vector<Index>, struct AnyRankOrder>();
      const QueryNames& names = data.text()[i];
      document_scores(data, i, w, scores);
      if (options_.output.format == "scores") {
        for (double f : scores) fmt::format_to(std::back_inserter(text), "{}\n", f);
        return;
      }
      rank_by_score(scores, order);
      for (std::size_t j = 0; j < order.size(); ++j) {
        const std::string& document = names.documents[order[j]];
        fmt::format_to(std::back_inserter(text), "{} Q0 {} {} {} hinge\n", names.id,
                       document.empty() ? fmt::to_string(order[j] + 1) : document, j + 1, scores[order[j]]);
      }
    });
  }

  MakeCutter cutter() const override { return cut_queries(Naming::once); }
  void refuse_data(const Data& data) const override {
    if (data.facts()["queries_that_teach_nothing"] == data.size())
      fail(
          "in every query all documents are alike to `loss` {}, so that there is nothing to learn: check "
          "`relevant` {:g} and the grades.",
          options_.goal.loss, options_.goal.relevant);
  }

 private:
  // In the order of the data.
  void document_scores(const RankData& data, std::size_t i, Weights w, Vector& scores) const {
    Vector& stored = scratch<Vector, struct AnyRankStored>();
    const std::vector<Index>& place = data.text()[i].place;
    stored.resize(place.size());
    scores.resize(place.size());
    schema_->score(documents(data, i), w, stored);
    for (std::size_t k = 0; k < stored.size(); ++k) scores[place[k]] = stored[k];
  }
};

}  // namespace

std::unique_ptr<RecordTask<RankRecords>> make_rank() { return std::make_unique<AnyRank>(); }

}  // namespace hinge
