#include "hinge/tasks/rank/any_rank.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>

#include "hinge/tasks/feature_set.h"
#include "hinge/tasks/rank/metrics.h"
#include "hinge/tasks/rank/query_reader.h"
#include "hinge/tasks/rank/rank_data.h"

namespace hinge {
namespace {

struct GoalOptions {
  std::string loss = "pairs";
  int at = 10;
  double relevant = 1;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("loss", self.loss, one_of(rank_losses()), "what a good ranking is");
    visit("at", self.at, between(1, 1e6), "places that precision and ndcg look at");
    visit("relevant", self.relevant, between(0, kMaxGrade), "the lowest grade that counts as relevant");
  }

  RankGoal goal() const { return {rank_loss(loss), static_cast<std::size_t>(at), relevant}; }
};

struct PredictOptions {
  std::string format = "scores";

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("format", self.format, one_of({"scores", "trec"}),
          "a score a line in the order of the data, or each query's ranking as a TREC run");
  }
};

class AnyRank final : public AnyTask {
 public:
  std::string name() const override { return "rank"; }
  std::vector<OptionRef> options() override { return list_options(goal_); }
  std::vector<OptionRef> predict_options() override { return list_options(predict_); }
  std::vector<std::string> decodings() const override { return {"joint"}; }  // documents by their scores

  std::unique_ptr<Data> read_training(const std::vector<std::string>& files,
                                      const Selection& selection) override {
    validate(goal_);
    std::vector<RankedQuery> queries = read_queries(files, selection);
    if (std::ranges::all_of(queries, [](const RankedQuery& query) { return query.grade.empty(); }))
      fail("no document has a grade: give some a number in place of '?'.");
    std::vector<SparseRow*> rows;
    for (RankedQuery& query : queries)
      for (SparseRow& row : query.rows) rows.push_back(&row);
    features_ = FeatureSet::of(rows, [](const SparseRow* row) -> const SparseRow& { return *row; });
    if (features_.size() == 0) fail("no document has a feature, by which it could be ranked: add some.");
    std::unique_ptr<Data> data = adopt(std::move(queries));
    if (data->facts()["queries that teach nothing"] == data->size())
      fail(
          "in every query all documents are alike to `loss` {}, so that there is nothing to learn: check "
          "`relevant` {:g} and the grades.",
          goal_.loss, goal_.relevant);
    return data;
  }

  std::unique_ptr<Data> read(const std::vector<std::string>& files,
                             const Selection& selection) const override {
    return adopt(read_queries(files, selection));
  }

  nlohmann::json evaluate(const Data& any_data, Weights w, const std::vector<std::size_t>& subset,
                          Executor& executor) const override {
    const RankData& data = own(any_data);
    const RankGoal goal = goal_.goal();
    RankMetrics metrics(goal.at);
    struct Result {
      std::optional<QueryMetrics> metrics;
      double loss = 0;
    };
    const auto results = map_examples(chosen(data, subset), executor, [&](std::size_t i) {
      const std::vector<double>& grades = data.grades(i);
      Vector scores(grades.size()), ranked;
      if (grades.empty()) return Result{};
      score(data.documents(i), w, scores);
      std::vector<Index> order;
      rank(scores, order);
      for (Index k : order) ranked.push_back(grades[k]);
      return Result{QueryMetrics(ranked, goal.relevant, metrics.places()),
                    ranking_loss(goal, scores, grades)};
    });
    for (const Result& result : results) {
      if (result.metrics)
        metrics.add(*result.metrics, result.loss);
      else
        metrics.add_ungraded();
    }
    return metrics.json();
  }

  std::string report(const nlohmann::json& metrics) const override { return rank_report(metrics); }

  void predict(const Data& any_data, Weights w, Executor& executor, OutputFile& out) const override {
    const RankData& data = own(any_data);
    write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
      static thread_local Vector stored, scores;
      static thread_local std::vector<Index> order;
      const Documents& documents = data.documents(i);
      const QueryNames& names = data.names(i);
      stored.resize(documents.size());
      scores.resize(documents.size());
      score(documents, w, stored);
      for (std::size_t k = 0; k < stored.size(); ++k) scores[names.place[k]] = stored[k];
      if (predict_.format == "scores") {
        for (double f : scores) fmt::format_to(std::back_inserter(text), "{}\n", f);
        return;
      }
      rank(scores, order);
      for (std::size_t j = 0; j < order.size(); ++j) {
        const std::string& document = names.documents[order[j]];
        fmt::format_to(std::back_inserter(text), "{} Q0 {} {} {} hinge\n", names.id,
                       document.empty() ? fmt::to_string(order[j] + 1) : document, j + 1, scores[order[j]]);
      }
    });
  }

  Index dimension() const override { return static_cast<Index>(features_.size()) + (has_bias() ? 1 : 0); }
  std::string feature_name(Index weight) const override {
    return weight == features_.size() ? "bias" : fmt::to_string(features_.indices()[weight]);
  }

  CheckReport check(const Data& data, const CheckOptions& options) const override {
    return own(data).check(options);
  }

  void save(Archive& archive) const override {
    archive.arrays["features"] = features_.indices();
    archive.header["rank"] = {{"loss", goal_.loss}, {"at", goal_.at}, {"relevant", goal_.relevant}};
  }

  void load(const Archive& archive) override {
    AnyRank loaded;
    const auto& features = archive.get<Index>("features");
    if (features.empty() || !std::ranges::is_sorted(features, std::ranges::less_equal()))
      fail("the model's features are not in order: train the model again.");
    loaded.features_ = FeatureSet(features);
    const auto& header = archive.header.at("rank");
    header.at("loss").get_to(loaded.goal_.loss);
    loaded.goal_.at = whole_number<int>(header, "at");
    header.at("relevant").get_to(loaded.goal_.relevant);
    validate(loaded.goal_);
    loaded.predict_ = predict_;
    loaded.decoding_ = decoding_;
    *this = std::move(loaded);
  }

 private:
  static const RankData& own(const Data& data) {
    assert(dynamic_cast<const RankData*>(&data) != nullptr);
    return static_cast<const RankData&>(data);
  }
  bool has_bias() const { return goal_.goal().loss == RankLoss::relevance; }

  void score(const Documents& documents, Weights w, std::span<double> scores) const {
    documents.score(w.first(features_.size()), scores);
    if (has_bias())
      for (double& f : scores) f += w[features_.size()];
  }

  // Renumbers features as the model has them, and counts what it lacks.
  std::unique_ptr<Data> adopt(std::vector<RankedQuery> queries) const {
    const RankGoal goal = goal_.goal();
    const auto features = static_cast<Index>(features_.size());
    std::size_t documents = 0, ungraded = 0, nothing = 0, unseen = 0;
    return with_rank_task(goal, features, [&]<class T>(T task) -> std::unique_ptr<Data> {
      std::vector<Example<T>> examples;
      std::vector<QueryNames> names;
      for (RankedQuery& query : queries) {
        for (SparseRow& row : query.rows) unseen += features_.renumber(row);
        documents += query.rows.size();
        ungraded += query.rows.size() - query.grade.size();
        Documents x(query.rows, query.grade.size(), features);
        x.level = levels(goal, query.grade);
        Judgement y = judge(goal, std::move(query.grade));
        nothing += indifferent(goal, y) ? 1 : 0;
        const double weight = query.weight * query_weight(goal, y);
        examples.push_back({std::move(x), std::move(y), weight});
        names.push_back({query.id, std::move(query.place), std::move(query.names)});
        query = {};
      }
      nlohmann::json facts = {{"queries", examples.size()},
                              {"documents", documents},
                              {"documents without a grade", ungraded},
                              {"features", features},
                              {"queries that teach nothing", nothing},
                              {"unseen features", unseen}};
      return std::make_unique<RankExamples<T>>(std::move(task), std::move(examples), std::move(names),
                                               std::move(facts));
    });
  }

  GoalOptions goal_;
  PredictOptions predict_;
  FeatureSet features_;
};

}  // namespace

std::unique_ptr<AnyTask> make_rank() { return std::make_unique<AnyRank>(); }

}  // namespace hinge
