#include "hinge/tasks/rank/any_rank.h"

#include <nlohmann/json.hpp>

#include "hinge/tasks/rank/examples.h"
#include "hinge/tasks/rank/metrics.h"
#include "hinge/tasks/rank/query_reader.h"
#include "hinge/tasks/rank/told_queries.h"
#include "hinge/tasks/rank/writer.h"
#include "hinge/tasks/row_adapter.h"

namespace hinge {
namespace {

class AnyRank final : public RowAdapter<ToldQueries, RankRecords, RankData, RankSchema, RankOptions> {
 public:
  std::string name() const override { return "rank"; }
  std::vector<std::string> decodings() const override { return {"joint"}; }  // documents by their scores
  std::vector<std::string> answer_names() const override { return {}; }
  std::string report(const nlohmann::json& metrics) const override { return rank_report(metrics); }

  RankRecords read_records(const std::vector<std::string>& files, const Selection& selection) const override {
    return read_queries(files, selection);
  }
  std::unique_ptr<Data> examples_of(RankRecords records) const override {
    return make_examples(*schema_, std::move(records));
  }

 protected:
  // An item for each document: its place in the ranking from 0, and its score.
  ExamplePredictions answer(const RankData& data, std::size_t i, Weights w,
                            const Asked& asked) const override {
    ExamplePredictions one;
    std::vector<Index> order;
    Vector scores = placed(schema_->scores(documents_of(data, i), w), data.text()[i].place);
    rank_by_score(scores, order);
    one.label.resize(order.size());
    for (std::size_t j = 0; j < order.size(); ++j) one.label[order[j]] = static_cast<int>(j);
    if (asked.what == Asked::scores) one.value = std::move(scores);
    return one;
  }
  std::size_t values(Asked::What what) const override {
    if (what == Asked::marginals) fail("documents have scores, no probabilities: ask for `scores`.");
    return 1;
  }
  Asked written() const override { return {Asked::scores}; }
  void append(const RankData& data, std::size_t i, const ExamplePredictions& answer,
              std::string& text) const override {
    if (options_.output.format == "scores")
      for (const double f : answer.value) fmt::format_to(std::back_inserter(text), "{}\n", f);
    else
      append_trec(data.text()[i].id, data.text()[i].documents, answer.label, answer.value, text);
  }

  JsonValue measure(const RankData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    const RankGoal& goal = schema_->goal();
    RankMetrics metrics(goal.at);
    const auto measured = [&](std::size_t i) {
      return measure_query(goal, schema_->scores(documents_of(data, i), w), grades_of(data, i),
                           metrics.places());
    };
    for_answers(examples, executor, measured, [&](std::size_t, const auto& query) { metrics.add(query); });
    return metrics.json();
  }

  MakeCutter cutter() const override { return cut_queries(Naming::once); }
  void refuse_data(const Data& data) const override {
    if (data.facts()["queries_that_teach_nothing"] == data.size())
      fail(
          "in every query all documents are alike to `loss` {}, so that there is nothing to learn: check "
          "`relevant` {:g} and the grades.",
          options_.goal.loss, options_.goal.relevant);
  }
};

}  // namespace

std::unique_ptr<RecordTask<RankRecords>> make_rank() { return std::make_unique<AnyRank>(); }

}  // namespace hinge
