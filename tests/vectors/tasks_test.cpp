// Answers that another program found by enumeration for label sets, taxonomies and multivariate measures (the
// folder `tasks` of the shared vectors, whose README states every convention).
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hinge/inference/enumeration.h"
#include "hinge/learning/objective.h"
#include "hinge/oracle/task_oracle.h"
#include "hinge/tasks/binary/binary_task.h"
#include "hinge/tasks/multilabel/multilabel.h"
#include "hinge/tasks/taxonomy/taxonomy.h"
#include "tests/support/vector_problem.h"

namespace hinge {
namespace {

constexpr double kGradient = 1e-9, kMarginal = 1e-10;
double tolerance(double value) { return 1e-9 + 1e-12 * std::abs(value); }

// f(file) for every file of that kind.
template <class F>
void for_each_file(const std::string& kind, F&& f) {
  const auto index = vector_file("tasks/INDEX");
  if (!index) GTEST_SKIP() << "skipped: no vectors";
  std::size_t found = 0;
  for (const std::string name : *index) {
    if (!name.starts_with(kind)) continue;
    const auto file = vector_file("tasks/" + name + ".json");
    if (!file) continue;
    SCOPED_TRACE(name);
    f(*file);
    ++found;
  }
  EXPECT_GE(found, 5u);
}

void expect_near(double seen, const nlohmann::json& expected, const char* what) {
  EXPECT_NEAR(seen, expected.get<double>(), tolerance(expected)) << what;
}
void expect_gradient(const Vector& seen, const nlohmann::json& expected, const char* what) {
  if (expected.is_null()) return;
  ASSERT_EQ(seen.size(), expected.size());
  for (std::size_t k = 0; k < seen.size(); ++k)
    EXPECT_NEAR(seen[k], expected[k].get<double>(), kGradient * (1 + std::abs(expected[k].get<double>())))
        << what << " " << k;
}
Vector dense(const Plane& plane, std::size_t size) {
  Vector slope(size);
  plane.slope.add_to(slope, 1);
  return slope;
}

// 1/2 |w|² + C Σ over examples, through the objective of a formulation.
void expect_objective(const Oracle& oracle, const Formulation& formulation, double C, const Vector& w,
                      const nlohmann::json& expected) {
  SerialExecutor executor;
  Objective objective(oracle, formulation, C * static_cast<double>(oracle.size()), executor);
  expect_near(objective.value(w), expected.at("value"), "objective");
  if (expected.at("grad").is_null()) return;
  Vector gradient(w.size());
  objective.sum_of_excesses(w, gradient);
  for (std::size_t k = 0; k < w.size(); ++k) gradient[k] += w[k];
  expect_gradient(gradient, expected.at("grad"), "objective");
}
void expect_objectives(const Oracle& oracle, double C, const Vector& w, const nlohmann::json& objectives) {
  for (const auto& [name, expected] : objectives.items()) {
    SCOPED_TRACE(name);
    if (name == "margin_rescaled")
      expect_objective(oracle, Formulation::named("ssvm"), C, w, expected);
    else if (name == "slack_rescaled")
      expect_objective(oracle, Formulation::named("ssvm", Rescaling::slack), C, w, expected);
    else if (name == "log_loss")
      expect_objective(oracle, Formulation::named("crf"), C, w, expected);
    else if (name.starts_with("soft_tau_"))
      expect_objective(oracle, Formulation::named("epsilon", Rescaling::margin, std::stod(name.substr(9))), C,
                       w, expected);
    else
      ADD_FAILURE() << "unknown objective";
  }
}

// Multilabel: the graph of the file by the engine of the task, which counts errors.
struct CountedVectorTask : VectorTask {
  using VectorTask::VectorTask;
  using Engine = CountedGraphEngine;
};

void expect_multilabel(const nlohmann::json& file) {
  const CountedVectorTask task(file);
  const std::vector<Example<CountedVectorTask>> examples = {
      {VectorTask::terms(file.at("unary")),
       {file.at("labels").get<Assignment>(), file.at("loss").at("table").get<std::vector<Vector>>()}}};
  const Vector w = file.at("weights");
  const TaskOracle<CountedVectorTask> oracle(task, examples);
  const auto& expected = file.at("expected");
  const Graph& graph = task.graph();

  const auto expect_marginals = [&](const GraphCounts& counts, const nlohmann::json& nodes,
                                    const nlohmann::json& edges) {
    for (std::size_t i = 0; i < graph.nodes(); ++i)
      for (std::size_t s = 0; s < 2; ++s)
        EXPECT_NEAR(counts.node(i)[s], nodes[i][s].get<double>(), kMarginal) << i;
    for (std::size_t e = 0; e < graph.edges(); ++e)
      for (std::size_t c = 0; c < 4; ++c)
        EXPECT_NEAR(counts.edge(e)[c], edges[e][c / 2][c % 2].get<double>(), kMarginal) << e;
  };
  const auto expect_winner = [&](const Assignment& seen, const nlohmann::json& winner) {
    if (winner.at("n_argmax") == 1) {
      EXPECT_EQ(seen, winner.at("assignment").get<Assignment>());
    }
  };

  CountedGraphEngine engine;
  GraphScores scores;
  GraphCounts counts;
  task.score(examples[0].input, w, scores);
  expect_near(engine.solve(scores, 1, 1, counts), expected.at("log_partition"), "log partition");
  expect_marginals(counts, expected.at("node_marginals"), expected.at("edge_marginals"));
  const Assignment likely = counts.most_probable(), told = expected.at("max_posterior_marginal");
  for (std::size_t i = 0; i < likely.size(); ++i)
    EXPECT_NEAR(counts.node(i)[likely[i]], counts.node(i)[told[i]], kMarginal) << i;
  expect_near(scores.of(examples[0].label.states), expected.at("score_of_labels"), "score of labels");
  expect_near(engine.solve(scores, 0, 0, counts), expected.at("map").at("value"), "map");
  expect_winner(counts.structure(), expected.at("map"));
  task.add_loss(examples[0].label, 1, scores);
  expect_near(engine.solve(scores, 0, 0, counts), expected.at("map_loss_augmented").at("value"), "augmented");
  expect_winner(counts.structure(), expected.at("map_loss_augmented"));
  for (const auto& soft : expected.at("soft")) {
    engine.solve(scores, soft.at("tau"), soft.at("tau"), counts);
    expect_marginals(counts, soft.at("node_marginals"), soft.at("edge_marginals"));
    double loss = 0;
    for (std::size_t i = 0; i < graph.nodes(); ++i)
      for (std::size_t s = 0; s < 2; ++s) loss += counts.node(i)[s] * examples[0].label.loss[i][s];
    expect_near(loss, soft.at("expected_loss"), "expected loss");
  }

  const auto expect_term = [&](const Query& query, const nlohmann::json& term, const char* what) {
    Plane plane;
    oracle.support(0, w, query, plane);
    expect_near(plane.at(w), term.at("value"), what);
    expect_gradient(dense(plane, w.size()), term.at("grad"), what);
    if (query.hard() && term.at("n_argmax") == 1) expect_near(plane.offset, term.at("loss"), "loss");
  };
  expect_term({Side::excess}, expected.at("margin_rescaled"), "margin");
  expect_term({Side::excess, 1, 0, 0, Rescaling::slack}, expected.at("slack_rescaled"), "slack");
  for (const auto& soft : expected.at("soft"))
    expect_term({Side::excess, 1, soft.at("tau"), soft.at("tau")}, soft, "soft");
  Plane likelihood;
  oracle.support(0, w, {Side::excess, 0, 1, 1}, likelihood);
  expect_near(-likelihood.at(w), expected.at("log_likelihood"), "likelihood");
  Vector gradient = dense(likelihood, w.size());
  for (double& value : gradient) value = -value;
  expect_gradient(gradient, expected.at("grad_log_likelihood"), "likelihood");
  expect_objectives(oracle, file.at("C"), w, file.at("objective"));
}

// The same differences by the task itself, which has weights for state 1 only: what state 0 scores is a
// constant less.
void expect_multilabel_task(const nlohmann::json& file) {
  const VectorTask vector_task(file);
  const std::size_t labels = vector_task.graph().nodes(), pairs = vector_task.graph().edges();
  std::vector<Graph::Edge> edges;
  for (std::size_t e = 0; e < pairs; ++e) edges.push_back(vector_task.graph().edge(e));
  GraphScores scores;
  vector_task.score(VectorTask::terms(file.at("unary")), file.at("weights").get<Vector>(), scores);
  const MultilabelTask task(1, static_cast<Index>(labels), edges,
                            file.at("loss").at("kind") == "normalised_hamming");
  Vector w;
  for (std::size_t l = 0; l < labels; ++l) w.push_back(scores.node(l)[1] - scores.node(l)[0]);
  for (std::size_t e = 0; e < pairs; ++e) w.insert(w.end(), scores.edge(e), scores.edge(e) + 4);
  const std::vector<Example<MultilabelTask>> examples = {{{{0}, {1}}, {file.at("labels").get<Labels>(), 0}}};
  const TaskOracle<MultilabelTask> oracle(task, examples);
  const auto& expected = file.at("expected");
  Plane plane;
  oracle.support(0, w, {Side::excess}, plane);
  expect_near(plane.at(w), expected.at("margin_rescaled").at("value"), "margin");
  oracle.support(0, w, {Side::excess, 1, 0, 0, Rescaling::slack}, plane);
  expect_near(plane.at(w), expected.at("slack_rescaled").at("value"), "slack");
  for (const auto& soft : expected.at("soft")) {
    oracle.support(0, w, {Side::excess, 1, soft.at("tau"), soft.at("tau")}, plane);
    expect_near(plane.at(w), soft.at("value"), "soft");
  }
  oracle.support(0, w, {Side::excess, 0, 1, 1}, plane);
  EXPECT_NEAR(-plane.at(w), expected.at("log_likelihood"), tolerance(expected.at("log_likelihood")));
}

TEST(vectors_of_tasks, Multilabel) { for_each_file("multilabel", expect_multilabel); }
TEST(vectors_of_tasks, MultilabelByTheTask) { for_each_file("multilabel", expect_multilabel_task); }

// One problem of a taxonomy. Rows of the task are floats and inputs of the file are not: so every row is of
// ones, and w_j x_j are the weights, of each example its own.
class TaxonomyProblem {
 public:
  explicit TaxonomyProblem(const nlohmann::json& file)
      : d_(file.at("d")), n_(file.at("n_nodes")), w_(file.at("weights").get<Vector>()) {
    const std::vector<int> parent = file.at("parent");
    std::vector<std::vector<Index>> parents(n_);
    node_.assign(n_, 0);
    for (std::size_t placed = 0, level = 0; placed < n_; ++level)  // parents first
      for (std::size_t z = 0; z < n_; ++z) {
        std::size_t depth = 0;
        for (int p = parent[z]; p >= 0; p = parent[static_cast<std::size_t>(p)]) ++depth;
        if (depth == level) node_[z] = static_cast<Index>(placed++);
      }
    for (std::size_t z = 0; z < n_; ++z)
      if (parent[z] >= 0) parents[node_[z]].push_back(node_[static_cast<std::size_t>(parent[z])]);
    std::vector<Index> answers;
    for (const std::size_t label : file.at("labels")) answers.push_back(node_[label]);
    std::ranges::sort(answers);
    std::vector<std::pair<Index, Index>> pairs;
    for (Index j = 0; j < d_; ++j)
      for (Index z = file.at("root_has_weights").get<bool>() ? 0 : 1; z < n_; ++z) pairs.emplace_back(j, z);
    task_ = std::make_unique<TaxonomyTask>(std::make_shared<const Hierarchy>(parents, answers),
                                           NodeWeights::observed(d_, n_, pairs), 0);
    for (Index j = 0; j < d_; ++j) row_.index.push_back(j), row_.value.push_back(1);
  }

  const TaxonomyTask& task() const { return *task_; }
  const SparseRow& row() const { return row_; }
  Index node(std::size_t z) const { return node_[z]; }
  const Vector& w() const { return w_; }
  // The task's weights for an input, and the file's gradient of a slope there.
  Vector weights(const Vector& x) const {
    Vector v;
    for (Index k = 0; k < task_->dimension(); ++k) {
      const auto [j, z] = task_->weights().pair(k);
      v.push_back(w_[own(z) * d_ + j] * x[j]);
    }
    return v;
  }
  Vector gradient(const SparseVector& slope, const Vector& x) const {
    Vector dense(task_->dimension()), result(w_.size());
    slope.add_to(dense, 1);
    for (Index k = 0; k < dense.size(); ++k) {
      const auto [j, z] = task_->weights().pair(k);
      result[own(z) * d_ + j] = dense[k] * x[j];
    }
    return result;
  }

 private:
  std::size_t own(Index z) const {
    return static_cast<std::size_t>(std::ranges::find(node_, z) - node_.begin());
  }

  std::size_t d_, n_;
  Vector w_;
  std::vector<Index> node_;  // of the task, for each of the file
  std::unique_ptr<TaxonomyTask> task_;
  SparseRow row_;
};

void expect_taxonomy(const nlohmann::json& file) {
  const TaxonomyProblem problem(file);
  const TaxonomyTask& task = problem.task();
  const std::vector<std::size_t> labels = file.at("labels");
  for (std::size_t a = 0; a < file.at("n_nodes"); ++a)
    for (std::size_t b = 0; b < file.at("n_nodes"); ++b)
      EXPECT_EQ(task.hierarchy().distance(problem.node(a), problem.node(b)), file.at("tree_distance")[a][b]);

  std::map<std::string, double> value;  // of each objective: sums over the examples
  std::map<std::string, Vector> slope;
  for (const auto& expected : file.at("examples")) {
    const Vector x = expected.at("x"), w = problem.weights(x);
    const TaxonLabel y{static_cast<int>(problem.node(expected.at("y"))), 0};
    const std::vector<Example<TaxonomyTask>> examples = {{problem.row(), y}};
    const TaskOracle<TaxonomyTask> oracle(task, examples);
    TreeChoice engine;
    TreeChoice::Scores scores;
    TreeChoice::Counts counts;
    task.score(problem.row(), w, scores);
    for (std::size_t r = 0; r < labels.size(); ++r) {
      expect_near(scores.of(problem.node(labels[r])), expected.at("scores")[r], "score");
      EXPECT_EQ(task.loss(y, problem.node(labels[r])), expected.at("loss")[r]);
    }
    expect_near(engine.solve(scores, 0, 0, counts), expected.at("prediction").at("value"), "prediction");
    if (expected.at("prediction").at("n_argmax") == 1) {
      EXPECT_EQ(counts.structure(), problem.node(expected.at("prediction").at("label")));
    }
    expect_near(engine.solve(scores, 1, 1, counts), expected.at("log_partition"), "log partition");
    std::vector<double> probability;
    engine.score_answers(scores, probability);
    smooth_max(probability, 1, probability);
    const auto& answers = task.hierarchy().answers();
    const auto place = [&](std::size_t r) {
      return static_cast<std::size_t>(std::ranges::find(answers, problem.node(labels[r])) - answers.begin());
    };
    for (std::size_t r = 0; r < labels.size(); ++r)
      EXPECT_NEAR(probability[place(r)], expected.at("probabilities")[r].get<double>(), kMarginal);

    const auto expect_term = [&](const std::string& name, const Query& query, const nlohmann::json& term) {
      SCOPED_TRACE(name);
      Plane plane;
      oracle.support(0, w, query, plane);
      expect_near(plane.at(w), term.at("value"), "value");
      const Vector gradient = problem.gradient(plane.slope, x);
      expect_gradient(gradient, term.at("grad"), "gradient");
      if (term.contains("label") && term.at("n_argmax") == 1)
        expect_near(plane.offset, term.at("loss"), "loss");
      value[name] += plane.at(w);
      slope[name].resize(gradient.size());
      for (std::size_t k = 0; k < gradient.size(); ++k) slope[name][k] += gradient[k];
    };
    expect_term("log_loss", {Side::excess, 0, 1, 1}, expected.at("log_loss"));
    expect_term("margin_rescaled", {Side::excess}, expected.at("margin_rescaled"));
    expect_term("slack_rescaled", {Side::excess, 1, 0, 0, Rescaling::slack}, expected.at("slack_rescaled"));
    for (const auto& soft : expected.at("soft"))
      expect_term(fmt::format("soft_tau_{:g}", soft.at("tau").get<double>()),
                  {Side::excess, 1, soft.at("tau"), soft.at("tau")}, soft);
    // No query asks for soft slack rescaling: by its formula, from the scores of the answers.
    for (const auto& soft : expected.at("soft_slack")) {
      std::vector<double> rescaled;
      engine.score_answers(scores, rescaled);
      const double own = scores.of(task.structure(y));
      for (std::size_t k = 0; k < answers.size(); ++k)
        rescaled[k] = task.loss(y, answers[k]) * (1 + rescaled[k] - own);
      expect_near(smooth_max(rescaled, soft.at("tau"), rescaled), soft.at("value"), "soft slack");
    }
  }
  for (const auto& [name, expected] : file.at("objective").items()) {
    SCOPED_TRACE(name);
    const double C = file.at("C");
    expect_near(0.5 * squared_norm(problem.w()) + C * value.at(name), expected.at("value"), "objective");
    Vector gradient = slope.at(name);
    for (std::size_t k = 0; k < gradient.size(); ++k) gradient[k] = problem.w()[k] + C * gradient[k];
    expect_gradient(gradient, expected.at("grad"), "objective");
  }
}

TEST(vectors_of_tasks, Taxonomy) { for_each_file("taxonomy", expect_taxonomy); }

// What one of the engines says to one measure of the file, `scale` being the loss of a cost of 1.
template <class E>
void expect_measure(E engine, typename E::Scores scores, const ItemUse& truth, double scale, double factor,
                    const nlohmann::json& expected) {
  typename E::Scores augmented = scores, losses = scores;
  losses.clear();
  augmented.cost_weight = losses.cost_weight = scale;
  const double reference = dot(truth.amount, scores.value);
  const auto gradient = [&](const ItemCounts& counts, double times) {  // by the file's scores
    Vector slope(scores.value.size());
    for (std::size_t i = 0; i < slope.size(); ++i)
      slope[i] = times * factor * (counts.amounts()[i] - truth.amount[i]);
    return slope;
  };
  ItemCounts counts;
  const auto& max = expected.at("max");
  expect_near(engine.solve(augmented, 0, 0, counts) - reference, max.at("value"), "max");
  expect_gradient(gradient(counts, 1), max.at("grad"), "max");
  if (max.at("n_argmax") == 1) expect_near(scale * counts.structure().cost, max.at("loss"), "loss");

  const auto expect_slack = [&](double value, const ItemUse& s) {
    const auto& slack = expected.at("slack");
    expect_near(value, slack.at("value"), "slack");
    if (slack.at("n_argmax") != 1) return;
    expect_near(scale * s.cost, slack.at("loss"), "loss of slack");
    expect_near(scores.of(s) - reference, slack.at("score"), "score of slack");
  };
  const auto& soft = expected.at("soft");
  if constexpr (!std::same_as<E, Interleaving>) {
    expect_slack(engine.solve_slack(scores, losses, reference, counts), counts.structure());
    expect_gradient(gradient(counts, scale * counts.structure().cost), expected.at("slack").at("grad"),
                    "slack");
    const double tau = soft.at("tau");
    expect_near(engine.solve(augmented, tau, tau, counts) - reference, soft.at("value"), "soft");
    expect_gradient(gradient(counts, 1), soft.at("grad"), "soft");
    expect_near(scale * counts.structure().cost, soft.at("expected_loss"), "expected loss");
  } else {  // refused by the task: the structures themselves are compared
    Enumeration<E> all(engine, augmented);
    expect_near(all.solve(augmented, soft.at("tau")) - reference, soft.at("value"), "soft by enumeration");
    const double value = all.solve_slack(scores, losses, reference);
    expect_slack(value, all.winner());
  }
}

void expect_measures(const nlohmann::json& file) {
  const std::vector<int> labels = file.at("labels");
  const Vector file_scores = file.at("scores");
  std::vector<Index> level;
  for (const int label : labels) level.push_back(label == 1 ? 1 : 0);
  const auto P = static_cast<double>(std::ranges::count(level, Index{1})),
             N = static_cast<double>(level.size()) - P;
  const auto scores_of = [&]<class Scores>(Scores scores, double factor) {
    scores.reset(level.size());
    for (std::size_t i = 0; i < level.size(); ++i) scores.value[i] = factor * file_scores[i];
    scores.level = level;
    return scores;
  };
  for (const auto& measure : file.at("measures")) {
    const std::string name = measure.at("measure");
    for (const auto& [loss, scale] : {std::pair("percent", 100.0), std::pair("plain", 1.0)}) {
      SCOPED_TRACE(name + " " + loss + " " + measure.dump().substr(0, 200));
      const auto& expected = measure.at(loss);
      if (name == "average_precision" || (name == "roc_area" && measure.at("structures") == "rankings")) {
        if (name == "roc_area") {  // the maximum is that of pairs
          const double factor = measure.at("pair_scale");
          auto scores = scores_of(ItemScores{}, factor);
          scores.cost_weight = scale / (P * N);
          ItemCounts counts;
          const double all_right = dot(Comparisons::truth(level).amount, scores.value);
          expect_near(CountedComparisons().solve(scores, 0, 0, counts) - all_right,
                      expected.at("max").at("value"), "max");
          continue;
        }
        const double factor = measure.at("pair_scale").get<double>() * P * N / 2;
        const auto scores = scores_of(ItemScores{}, factor);
        std::size_t structures = 0;
        Interleaving().for_each_structure(scores, [&](const ItemUse&) { ++structures; });
        EXPECT_EQ(structures, measure.at("n_structures"));
        expect_measure(Interleaving(), scores, Interleaving::truth(level), scale, factor, expected);
      } else if (name == "roc_area") {
        const double factor = measure.at("pair_scale");
        expect_measure(CountedComparisons(), scores_of(ItemScores{}, factor), Comparisons::truth(level),
                       scale / (P * N), factor, expected);
      } else {
        TableMeasure table;
        if (name == "f_beta")
          table = {.kind = TableMeasure::Kind::f_beta,
                   .beta = measure.at("beta"),
                   .empty_value = measure.at("empty_value")};
        else if (name == "precision_recall_break_even")
          table = {.kind = TableMeasure::Kind::precision, .break_even = true};
        else if (name == "precision_at_k" || name == "recall_at_k")
          table = {.kind = name == "recall_at_k" ? TableMeasure::Kind::recall : TableMeasure::Kind::precision,
                   .predicted = measure.at("k").get<std::size_t>()};
        else
          ASSERT_EQ(name, "error_rate");
        auto scores = scores_of(Contingency::Scores{}, 1);
        scores.measure = &table;
        EXPECT_EQ(Contingency::structures(scores), measure.at("n_structures"));
        const ItemUse truth{std::vector<double>(level.begin(), level.end()), 0};
        expect_measure(Contingency(), scores, truth, scale, 1, expected);
      }
    }
  }
}

TEST(vectors_of_tasks, Measures) { for_each_file("measures", expect_measures); }

}  // namespace
}  // namespace hinge
