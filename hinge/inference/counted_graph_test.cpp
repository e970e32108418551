#include "hinge/inference/counted_graph.h"

#include <gtest/gtest.h>

#include "hinge/core/random.h"
#include "hinge/inference/enumeration.h"

namespace hinge {
namespace {

// A forest, a loop, a full graph or no edge at all, of nodes with one to three states.
Graph random_graph(std::size_t nodes, double density, Random& random) {
  std::vector<Index> states;
  std::vector<Graph::Edge> edges;
  for (Index i = 0; i < nodes; ++i) {
    states.push_back(static_cast<Index>(1 + random.below(3)));
    for (Index j = 0; j < i; ++j)
      if (random.uniform() < density) edges.push_back({j, i});
  }
  return {states, edges};
}

TEST(CountedGraph, SlackIsThatOfEnumeration) {
  Random random(5);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const double densities[] = {0, 0.3, 0.6, 1};
    const Graph graph = random_graph(1 + random.below(6), densities[repeat % 4], random);
    const double unit = repeat % 2 == 0 ? 1 : 1.0 / 7;
    GraphScores scores, losses, other;
    for (GraphScores* each : {&scores, &losses, &other}) each->shape(graph);
    for (std::size_t k = 0; k < graph.node_cells(); ++k) {
      scores.node(0)[k] = random.normal();
      other.node(0)[k] = random.normal();
      losses.node(0)[k] = unit * static_cast<double>(random.below(3));
    }
    for (std::size_t k = 0; k < graph.edge_cells(); ++k) {
      scores.edge(0)[k] = random.normal();
      other.edge(0)[k] = random.normal();
    }
    CountedGraphEngine engine;
    ASSERT_TRUE(CountedGraphEngine::countable(graph, engine.settings));
    GraphCounts counts;
    const double reference = random.normal();
    const double value = engine.solve_slack(scores, losses, reference, counts);
    Enumeration<CountedGraphEngine> all(engine, scores);
    EXPECT_NEAR(value, all.solve_slack(scores, losses, reference), 1e-12 * (1 + std::abs(value)));
    const Assignment& s = counts.structure();  // it has that value
    EXPECT_NEAR(losses.of(s) * (1 + scores.of(s) - reference), value, 1e-12 * (1 + std::abs(value)));
    double sum = 0;  // and the counts are its own
    for (std::size_t k = 0; k < graph.node_cells(); ++k) sum += counts.node(0)[k] * other.node(0)[k];
    for (std::size_t k = 0; k < graph.edge_cells(); ++k) sum += counts.edge(0)[k] * other.edge(0)[k];
    EXPECT_NEAR(sum, other.of(s), 1e-12);
  }
}

TEST(CountedGraph, SaysWhenTablesDoNotFit) {
  std::vector<Graph::Edge> edges;
  for (Index a = 0; a < 40; ++a)
    for (Index b = a + 1; b < 40; ++b) edges.push_back({a, b});
  EXPECT_FALSE(CountedGraphEngine::countable(Graph(std::vector<Index>(40, 2), edges), {}));
  EXPECT_TRUE(CountedGraphEngine::countable(Graph(std::vector<Index>(40, 2), {}), {}));
}

}  // namespace
}  // namespace hinge
