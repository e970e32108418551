// Answers that another program found by enumeration for label sets, taxonomies and multivariate measures (the
// folder `tasks` of the shared vectors, whose README states every convention).
#include <gtest/gtest.h>

#include <cmath>

#include "hinge/learning/objective.h"
#include "hinge/oracle/task_oracle.h"
#include "hinge/tasks/multilabel/multilabel.h"
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

}  // namespace
}  // namespace hinge
