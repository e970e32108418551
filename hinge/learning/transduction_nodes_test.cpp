// Transduction of tasks without an order: one choice, and graphs.
#include <gtest/gtest.h>

#include "hinge/learning/objective.h"
#include "hinge/oracle/check_oracle.h"
#include "hinge/tasks/multiclass/multiclass.h"
#include "hinge/transduce.h"
#include "tests/support/vector_problem.h"

namespace hinge {
namespace {

// A rule says that more of the unlabelled rows are of class 1 than the labels suggest.
struct Rows {
  MulticlassTask task{3, 2};
  std::vector<Example<MulticlassTask>> labelled;
  std::vector<SparseRow> unlabelled;
  std::vector<int> truth;
  Knowledge knowledge;

  explicit Rows(RulePenalty::Kind kind, double target) {
    Random random(5);
    knowledge.shared.sets = {{0, 1}};
    knowledge.rules = {{.name = "fraction of 1", .kind = kind, .weight = 200, .target = target}};
    for (int i = 0; i < 66; ++i) {
      const int y = i < 6 ? (i == 0 ? 1 : 0) : i % 2;
      const double sign = y == 1 ? 1 : -1;
      SparseRow row{
          {0, 1, 2},
          {static_cast<float>(sign + 0.7 * random.normal()), static_cast<float>(random.normal()), 1}};
      Constraints features;
      features.positions.push_back({0, 0, 0});
      knowledge.examples.push_back(features);
      if (i < 6)
        labelled.push_back({row, y});
      else
        unlabelled.push_back(row), truth.push_back(y);
    }
  }
  double share(Weights w) const {
    double ones = 0;
    for (const SparseRow& row : unlabelled) ones += Factored<MulticlassTask>().predict(task, row, w);
    return ones / static_cast<double>(unlabelled.size());
  }
  Vector learn(const std::string& method, double C2) const {
    return transduce(task, std::span<const Example<MulticlassTask>>(labelled),
                     std::span<const SparseRow>(unlabelled), knowledge, {.method = method, .C = 1},
                     {.C2 = C2, .mu = 1})
        .weights;
  }
};

TEST(TransductionOfChoices, MovesAFractionToItsTarget) {
  for (const auto& [kind, target] :
       {std::pair(RulePenalty::Kind::about, 0.6), {RulePenalty::Kind::at_least, 0.6}}) {
    const Rows rows(kind, target);
    const double before = rows.share(rows.learn("ssvm", 1));
    ASSERT_LT(before, 0.5);
    for (const char* method : {"transductive", "pr", "ge"}) {
      const double after = rows.share(rows.learn(method, 20));
      EXPECT_LT(std::abs(after - target), std::abs(before - target)) << method << " from " << before;
    }
  }
  const Rows satisfied(RulePenalty::Kind::at_most, 0.9);
  EXPECT_NEAR(satisfied.share(satisfied.learn("transductive", 1)),
              satisfied.share(satisfied.learn("ssvm", 1)), 0.2);
}

TEST(TransductionOfChoices, TheOracleIsInOrder) {
  const Rows rows(RulePenalty::Kind::about, 0.3);
  std::vector<const SparseRow*> inputs;
  for (const SparseRow& row : rows.unlabelled) inputs.push_back(&row);
  const GuidedExamples<MulticlassTask> examples(rows.task, rows.labelled, inputs, rows.knowledge, true);
  std::vector<const Constraints*> features;
  std::vector<Index> first;
  for (std::size_t j = 0; j < inputs.size(); ++j) {
    features.push_back(&examples.unlabelled().features(j));
    first.push_back(static_cast<Index>(j));
  }
  const TransductionOracle oracle(&examples.labelled(), examples.unlabelled(),
                                  Gamma::of(rows.knowledge.rules, features, first), {1, 2, 3});
  const CheckReport report = check_oracle(oracle);
  EXPECT_TRUE(report.passed()) << report.text();
  EXPECT_EQ(oracle.size(), 6u + 60u + 1u);
}

// The engine of graphs with gains at nodes equals enumeration, required labels too.
TEST(GuidedNodes, EqualsEnumerationOnGraphs) {
  const Graph graph({2, 3, 2, 3}, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  Random random(3);
  GuidedNodes<GraphEngine>::Scores scores;
  scores.base.shape(graph);
  for (std::size_t i = 0; i < graph.node_cells(); ++i) scores.base.node(0)[i] = random.normal();
  for (std::size_t i = 0; i < graph.edge_cells(); ++i) scores.base.edge(0)[i] = random.normal();
  Knowledge knowledge;
  knowledge.shared.sets = {{1, 0}, {0, 1, 1}, {1, 0, 1}};
  Constraints features;
  features.positions = {{0, 0, 0}, {1, 1, 0}, {3, 2, 0}, {1, 2, 0}};
  scores.guide(knowledge.shared, features);
  for (double& gain : scores.gains()) gain = random.normal();
  for (const bool required : {false, true}) {
    if (required) scores.require(1);
    for (const double temperature : {0.0, 0.5, 1.0}) {
      std::vector<double> values;
      std::vector<Assignment> all;
      GraphEngine::for_each_structure(scores.base, [&](const Assignment& s) {
        all.push_back(s);
        values.push_back(scores.of(s));
      });
      std::vector<double> probability(values.size());
      const double expected = smooth_max(values, temperature, probability);
      GuidedNodes<GraphEngine> engine;
      GuidedNodes<GraphEngine>::Counts counts;
      EXPECT_NEAR(engine.solve(scores, temperature, temperature, counts), expected, 1e-10);
      Vector phi(4), mean(4);
      for (std::size_t s = 0; s < all.size(); ++s) {
        GuidedNodes<GraphEngine>::evaluate(scores, all[s], phi);
        for (std::size_t k = 0; k < 4; ++k) mean[k] += probability[s] * phi[k];
      }
      for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(counts.phi()[k], mean[k], 1e-10) << k;
    }
  }
}

}  // namespace
}  // namespace hinge
