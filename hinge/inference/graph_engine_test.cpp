#include "hinge/inference/graph_engine.h"

#include <gtest/gtest.h>

#include "hinge/core/random.h"
#include "hinge/inference/enumeration.h"
#include "hinge/oracle/task.h"

namespace hinge {
namespace {

static_assert(Engine<GraphEngine> && HidingEngine<GraphEngine>);

constexpr double kTemperatures[] = {0, 0.05, 0.3, 1, 2.5};

void randomise(GraphScores& scores, double scale, Random& random) {
  const Graph& graph = scores.graph();
  for (std::size_t c = 0; c < graph.node_cells(); ++c) scores.node(0)[c] = scale * random.normal();
  for (std::size_t c = 0; c < graph.edge_cells(); ++c) scores.edge(0)[c] = scale * random.normal();
}

// A tree or forest of random shape; then, for loops, more edges.
Graph random_graph(std::size_t nodes, std::size_t loops, bool forest, Random& random) {
  std::vector<Index> states;
  for (std::size_t i = 0; i < nodes; ++i) states.push_back(static_cast<Index>(1 + random.below(4)));
  std::vector<Index> name(nodes);
  for (std::size_t i = 0; i < nodes; ++i) name[i] = static_cast<Index>(i);
  random.shuffle(name);
  std::vector<Graph::Edge> edges;
  const auto add = [&](std::size_t a, std::size_t b) {
    if (random.below(2) == 0) std::swap(a, b);
    for (const auto& e : edges)
      if ((e.from == name[a] && e.to == name[b]) || (e.from == name[b] && e.to == name[a])) return;
    edges.push_back({name[a], name[b]});
  };
  for (std::size_t i = 1; i < nodes; ++i)
    if (!forest || random.below(4) > 0) add(i, random.below(i));
  for (std::size_t k = 0; k < loops; ++k) {
    const std::size_t a = random.below(nodes), b = random.below(nodes);
    if (a != b) add(a, b);
  }
  return {states, edges};
}

void mark(GraphScores& scores, Random& random) {
  for (std::size_t i = 0; i < scores.graph().nodes(); ++i) {
    if (random.below(3) == 0) scores.hide(i);
    if (random.below(5) == 0) scores.observe(i, static_cast<int>(random.below(scores.graph().states(i))));
  }
}

// Σ counts · scores
double total(const GraphCounts& counts, const GraphScores& scores) {
  double sum = 0;
  for (std::size_t c = 0; c < scores.graph().node_cells(); ++c) sum += counts.node(0)[c] * scores.node(0)[c];
  for (std::size_t c = 0; c < scores.graph().edge_cells(); ++c) sum += counts.edge(0)[c] * scores.edge(0)[c];
  return sum;
}

void expect_enumeration(const GraphScores& scores, double output, double latent, bool messages = false) {
  GraphEngine engine;
  if (messages) engine.settings.max_cells = 0;
  GraphCounts counts;
  Enumeration<GraphEngine> reference(engine, scores);
  const double expected = reference.solve(scores, output, latent);
  const double value = engine.solve(scores, output, latent, counts);
  EXPECT_TRUE(engine.answer().exact);
  if (expected == kForbidden) {
    EXPECT_EQ(value, kForbidden);
    return;
  }
  ASSERT_NEAR(value, expected, 1e-12 * (10 + std::abs(expected))) << output << " " << latent;
  Random random(17);
  for (int repeat = 0; repeat < 3; ++repeat) {
    GraphScores other = scores;
    randomise(other, 1, random);
    EXPECT_NEAR(total(counts, other), reference.mean(other), 2e-11) << output << " " << latent;
  }
  if (output == 0) {
    EXPECT_EQ(GraphEngine::outputs(scores, counts.structure()),
              GraphEngine::outputs(scores, reference.winner()));
  }
}

struct Problem {
  Graph graph;
  GraphScores scores;

  Problem(Graph shape, int kind, Random& random) : graph(std::move(shape)) {
    scores.shape(graph);
    randomise(scores, kind % 3 == 0 ? 5 : 0.7, random);
    if (kind > 3) mark(scores, random);
    if (kind % 4 == 3)
      for (int k = 0; k < 3; ++k) scores.node(0)[random.below(graph.node_cells())] = kForbidden;
    if (kind % 8 == 7 && graph.edge_cells() > 0)
      scores.edge(0)[random.below(graph.edge_cells())] = kForbidden;
  }
};

TEST(GraphEngine, EqualsEnumeration) {
  Random random(1);
  for (int kind = 0; kind < 40; ++kind) {
    const Problem problem(
        random_graph(1 + random.below(6), static_cast<std::size_t>(kind % 5), kind % 2 == 0, random), kind,
        random);
    for (double output : kTemperatures)
      for (double latent : kTemperatures) expect_enumeration(problem.scores, output, latent);
  }
}

TEST(GraphEngine, MessagesEqualEnumerationOnForests) {
  Random random(2);
  for (int kind = 0; kind < 40; ++kind) {
    const Problem problem(random_graph(1 + random.below(6), 0, kind % 2 == 0, random), kind, random);
    for (double temperature : kTemperatures)
      expect_enumeration(problem.scores, temperature, temperature, true);
  }
}

Graph grid(std::size_t rows, std::size_t columns, Index states) {
  std::vector<Graph::Edge> edges;
  for (std::size_t i = 0; i < rows * columns; ++i) {
    const auto node = static_cast<Index>(i);
    if ((i + 1) % columns > 0) edges.push_back({node, node + 1});
    if (i + columns < rows * columns) edges.push_back({node, static_cast<Index>(i + columns)});
  }
  return {std::vector<Index>(rows * columns, states), edges};
}

GraphScores checkerboard(const Graph& graph, std::size_t columns, double pair, Random& random) {
  GraphScores scores;
  scores.shape(graph);
  randomise(scores, 1, random);
  for (std::size_t c = 0; c < graph.edge_cells(); ++c) scores.edge(0)[c] *= pair;
  for (std::size_t i = 0; i < graph.nodes(); ++i)
    if ((i / columns + i % columns) % 2 == 1) scores.hide(i);
  return scores;
}

// What messages find on loopy graphs is the value of its own outputs, whose plane touches there, and never
// above the maximum.
TEST(GraphEngine, MaximaByMessagesStayBelow) {
  Random random(3);
  const Graph graph = grid(4, 5, 3);
  int best = 0, total_runs = 0;
  for (std::uint64_t max_cells : {0u, 1u})
    for (int repeat = 0; repeat < 10; ++repeat) {
      const GraphScores scores = checkerboard(graph, 5, 1.5, random);
      for (double latent : {0.0, 0.3, 1.0}) {
        GraphEngine exact, messages;
        messages.settings.max_cells = max_cells;
        GraphCounts exact_counts, counts, given_counts;
        const double maximum = exact.solve(scores, 0, latent, exact_counts);
        const double value = messages.solve(scores, 0, latent, counts);
        const double rounding = 1e-12 * (1 + std::abs(maximum));
        EXPECT_TRUE(exact.answer().exact);
        EXPECT_LE(value, maximum + rounding);
        EXPECT_TRUE(!messages.answer().exact || value >= maximum - rounding);
        GraphScores given = scores;
        for (std::size_t i = 0; i < graph.nodes(); ++i)
          if (!scores.hidden(i)) given.observe(i, counts.structure()[i]);
        EXPECT_NEAR(value, exact.solve(given, 0, latent, given_counts), max_cells == 0 ? INFINITY : rounding);
        for (std::size_t c = 0; c < graph.edge_cells() && max_cells > 0; ++c)
          EXPECT_NEAR(counts.edge(0)[c], given_counts.edge(0)[c], latent == 0 ? 1 : 1e-11);
        if (max_cells > 0) ++total_runs, best += value >= maximum - rounding;
      }
    }
  EXPECT_GE(best, total_runs * 9 / 10);
}

}  // namespace
}  // namespace hinge
