#include "hinge/inference/graph_sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "hinge/core/errors.h"
#include "hinge/inference/enumeration.h"
#include "hinge/inference/graph_engine.h"

namespace hinge {
namespace {

GraphScores random_scores(const Graph& graph, double size, std::uint64_t seed) {
  Random random(seed);
  GraphScores scores;
  scores.shape(graph);
  for (std::size_t i = 0; i < graph.nodes(); ++i)
    for (std::size_t a = 0; a < graph.states(i); ++a) scores.node(i)[a] = size * random.normal();
  for (std::size_t e = 0; e < graph.edges(); ++e)
    for (std::size_t k = 0; k < graph.states(graph.edge(e).from) * graph.states(graph.edge(e).to); ++k)
      scores.edge(e)[k] = size * random.normal();
  return scores;
}

// Each assignment's count is binomial: over all of them, a sum of squared standardised deviations beyond
// chi-square's mean plus six of its standard deviations has a chance below 1e-6.
TEST(GraphSampler, DrawsByProbability) {
  const std::vector<Graph::Edge> shapes[] = {{{0, 1}, {2, 1}, {1, 3}}, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}, {}};
  std::uint64_t seed = 1;
  for (const auto& edges : shapes) {
    const Graph graph({2, 3, 2, 2}, edges);
    const GraphScores scores = random_scores(graph, 0.7, ++seed);
    GraphEngine engine;
    Enumeration<GraphEngine> all(engine, scores);
    const double value = all.solve(scores, 1.0);
    const GraphSampler sampler(scores);
    Random random(seed);
    std::map<Assignment, double> seen;
    constexpr int draws = 20000;
    for (int k = 0; k < draws; ++k) ++seen[sampler.draw(random)];
    double chi_square = 0;
    for (const Assignment& s : all.structures()) {
      const double expected = draws * std::exp(scores.of(s) - value);
      chi_square += (seen[s] - expected) * (seen[s] - expected) / expected;
    }
    const double freedom = static_cast<double>(all.structures().size()) - 1;
    EXPECT_LT(chi_square, freedom + 6 * std::sqrt(2 * freedom));
    EXPECT_GT(chi_square, freedom - 5 * std::sqrt(2 * freedom));
  }
}

TEST(GraphSampler, RepeatsWithTheSeedAndRefusesWhatIsTooWide) {
  std::vector<Graph::Edge> edges;
  for (Index a = 0; a < 12; ++a)
    for (Index b = a + 1; b < 12; ++b) edges.push_back({a, b});
  const Graph graph(std::vector<Index>(12, 4), edges);
  const GraphScores scores = random_scores(graph, 1, 3);
  EXPECT_THROW(GraphSampler(scores, 1 << 16), InputError);
  const Graph pair({4, 4}, {{0, 1}});
  const GraphScores small = random_scores(pair, 1, 4);
  Random one(5), two(5);
  const GraphSampler sampler(small);
  for (int k = 0; k < 10; ++k) EXPECT_EQ(sampler.draw(one), sampler.draw(two));
}

}  // namespace
}  // namespace hinge
