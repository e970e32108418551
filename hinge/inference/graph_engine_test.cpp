#include "hinge/inference/graph_engine.h"

#include <gtest/gtest.h>

#include "hinge/core/errors.h"
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
  if (messages) engine.settings.max_cells = engine.settings.search_cells = 0;
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
  for (std::uint64_t search_cells : {0u, 100u})
    for (int repeat = 0; repeat < 10; ++repeat) {
      const GraphScores scores = checkerboard(graph, 5, 1.5, random);
      for (double latent : {0.0, 0.3, 1.0}) {
        GraphEngine exact, messages;
        messages.settings.max_cells = 1;
        messages.settings.search_cells = search_cells;
        GraphCounts exact_counts, counts, given_counts;
        const double maximum = exact.solve(scores, 0, latent, exact_counts);
        const double value = messages.solve(scores, 0, latent, counts);
        const double rounding = 1e-12 * (1 + std::abs(maximum));
        if (search_cells > 0) ++total_runs, best += value >= maximum - rounding;
        EXPECT_TRUE(exact.answer().exact);
        EXPECT_LE(value, maximum + rounding);
        EXPECT_TRUE(!messages.answer().exact || value >= maximum - rounding);
        if (latent == 0) {
          EXPECT_NEAR(scores.of(counts.structure()), value, rounding);
          continue;
        }
        GraphScores given = scores;
        for (std::size_t i = 0; i < graph.nodes(); ++i)
          if (!scores.hidden(i)) given.observe(i, counts.structure()[i]);
        EXPECT_NEAR(value, exact.solve(given, 0, latent, given_counts), rounding);
        for (std::size_t c = 0; c < graph.edge_cells(); ++c)
          EXPECT_NEAR(counts.edge(0)[c], given_counts.edge(0)[c], 1e-11);
      }
    }
  EXPECT_GE(best, total_runs * 9 / 10);
}

// Binary graphs whose edges attract, hidden and observed nodes and forbidden states among them: the maximum by one cut,
// by the same engine that says no where a cut would be wrong.
TEST(GraphEngine, CutsEqualEnumeration) {
  Random random(11);
  int cuts = 0, refused = 0;
  for (int repeat = 0; repeat < 200; ++repeat) {
    const std::size_t nodes = 2 + random.below(8);
    Graph graph = random_graph(nodes, 2 * nodes, false, random);
    std::vector<Index> states(nodes);
    for (Index& k : states) k = static_cast<Index>(1 + (random.below(8) > 0));
    graph = Graph(states, {graph.all_edges().begin(), graph.all_edges().end()});
    GraphScores scores;
    scores.shape(graph);
    randomise(scores, 1, random);
    const bool attractive = repeat % 4 > 0;
    for (std::size_t e = 0; e < graph.edges() && attractive; ++e) {
      double* t = scores.edge(e);
      if (graph.edge_begin(e + 1) - graph.edge_begin(e) == 4 && t[0] + t[3] < t[1] + t[2])
        std::swap(t[0], t[1]), std::swap(t[2], t[3]);
    }
    if (repeat % 3 == 0) mark(scores, random);
    if (repeat % 5 == 0) scores.node(0)[random.below(graph.node_cells())] = kForbidden;
    GraphEngine engine, automatic;
    engine.settings.maxima = "cut";
    automatic.settings.max_cells = 0;
    GraphCounts counts;
    const double maximum = Enumeration<GraphEngine>(engine, scores).solve(scores, 0, 0);
    EXPECT_FALSE(engine.may_approximate(scores, 0, 0));
    try {
      const double value = engine.solve(scores, 0, 0, counts);
      EXPECT_EQ(engine.answer().way, GraphEngine::kCut);
      EXPECT_TRUE(engine.answer().exact);
      EXPECT_EQ(engine.bound(), value);
      if (maximum == kForbidden) {
        EXPECT_EQ(value, kForbidden);
        continue;
      }
      EXPECT_NEAR(value, maximum, 1e-12 * (1 + std::abs(maximum)));
      EXPECT_NEAR(scores.of(counts.structure()), value, 1e-12 * (1 + std::abs(maximum)));
      EXPECT_EQ(automatic.solve(scores, 0, 0, counts), value);
      EXPECT_EQ(automatic.answer().way, GraphEngine::kCut);
      ++cuts;
    } catch (const InputError&) {
      EXPECT_FALSE(attractive);
      const double value = automatic.solve(scores, 0, 0, counts);
      EXPECT_EQ(automatic.answer().way, GraphEngine::kMaxima);
      EXPECT_LE(value, maximum + 1e-12 * (1 + std::abs(maximum)));
      ++refused;
    }
  }
  EXPECT_GT(cuts, 100);
  EXPECT_GT(refused, 10);
}

// Where elimination would do, but by large tables, a cut is faster; where by small ones, it is not asked.
TEST(GraphEngine, CutsWhereTablesAreLarge) {
  Random random(13);
  for (const std::size_t rows : {2, 9}) {
    const Graph graph = grid(rows, 12, 2);
    GraphScores scores;
    scores.shape(graph);
    randomise(scores, 1, random);
    for (std::size_t e = 0; e < graph.edges(); ++e) scores.edge(e)[0] += 5;
    GraphEngine engine, eliminating;
    eliminating.settings.maxima = "messages";
    GraphCounts counts;
    const double value = engine.solve(scores, 0, 0, counts);
    EXPECT_EQ(engine.answer().way, rows == 2 ? GraphEngine::kElimination : GraphEngine::kCut);
    EXPECT_NEAR(value, eliminating.solve(scores, 0, 0, counts), 1e-12 * (1 + std::abs(value)));
    EXPECT_EQ(eliminating.answer().way, GraphEngine::kElimination);
  }
}

// Nodes of three states cannot be cut, whatever their edges are.
TEST(GraphEngine, RefusesToCutThreeStates) {
  const Graph graph = grid(2, 2, 3);
  GraphScores scores;
  scores.shape(graph);
  GraphEngine engine;
  engine.settings.maxima = "cut";
  GraphCounts counts;
  EXPECT_THROW(engine.solve(scores, 0, 0, counts), InputError);
  for (std::size_t i = 0; i < 4; ++i) scores.observe(i, 1);
  EXPECT_EQ(engine.solve(scores, 0, 0, counts), 0);
}

// Whatever way the maximum is looked for: nothing above it, bounds not below it, and what fused messages find is seldom
// below what messages find.
TEST(GraphEngine, BoundsHoldTheMaximum) {
  Random random(12);
  int not_worse = 0;
  for (int repeat = 0; repeat < 40; ++repeat) {
    const Graph graph = grid(4, 5, 3);
    const GraphScores scores = checkerboard(graph, 5, repeat % 2 == 0 ? 1.5 : 0.3, random);
    GraphEngine exact;
    GraphCounts counts;
    const double maximum = exact.solve(scores, 0, 0, counts), rounding = 1e-12 * (1 + std::abs(maximum));
    EXPECT_EQ(exact.bound(), maximum);
    std::vector<double> values;
    for (const auto& [maxima, way] : {std::pair{"messages", GraphEngine::kMaxima},
                                      {"fusion", GraphEngine::kFusion},
                                      {"cycles", GraphEngine::kCycles},
                                      {"expansion", GraphEngine::kExpansion}}) {
      GraphEngine engine;
      engine.settings = {.max_cells = 0, .maxima = maxima, .search_cells = 0};
      values.push_back(engine.solve(scores, 0, 0, counts));
      EXPECT_EQ(engine.answer().way, way);
      EXPECT_NEAR(scores.of(counts.structure()), values.back(), rounding);
      EXPECT_LE(values.back(), maximum + rounding) << maxima;
      EXPECT_GE(engine.bound(), maximum - rounding) << maxima;
      EXPECT_TRUE(!engine.answer().exact || values.back() >= maximum - rounding);
    }
    not_worse += values[1] >= values[0] - rounding;
  }
  EXPECT_GE(not_worse, 36);
}

// Forests cover a grid: an edge's share is positive, and shares add up to the edges of one forest.
TEST(GraphEngine, SharesAreThoseOfSpanningForests) {
  for (const auto& [rows, columns] : {std::pair{4, 5}, {2, 2}, {1, 7}, {20, 40}}) {
    const Graph graph = grid(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns), 2);
    std::vector<char> observed(graph.nodes(), false);
    if (rows == 4) observed[7] = true;
    const MessageSchedule schedule(graph, observed);
    double sum = 0;
    for (const auto& link : schedule.links) {
      EXPECT_GT(link.share, 0);
      EXPECT_LE(link.share, 1);
      sum += link.share / 2;  // both directions are listed
    }
    EXPECT_NEAR(sum, static_cast<double>(schedule.places.size() - 1), 1e-9);
  }
}

// Tree-reweighted sums lie above the sum, at any strength of the edges.
TEST(GraphEngine, TreeReweightedSumsStayAbove) {
  Random random(9);
  const Graph graph = grid(4, 5, 3);
  for (double pair : {0.1, 0.5, 1.5, 4.0})
    for (int repeat = 0; repeat < 5; ++repeat) {
      const GraphScores scores = checkerboard(graph, 5, pair, random);
      GraphEngine exact, messages;
      messages.settings = {.max_cells = 1, .max_sweeps = 5000, .damping = 0.2};
      GraphCounts counts;
      const double sum = exact.solve(scores, 1, 1, counts), value = messages.solve(scores, 1, 1, counts);
      EXPECT_TRUE(messages.answer().converged) << pair;
      EXPECT_GE(value, sum - 1e-9 * (1 + std::abs(sum))) << pair;
    }
}

// The mixed answer is at least that of the outputs of the best (y, h).
TEST(GraphEngine, MixedMaximaAreNotBelowTheBestPair) {
  Random random(10);
  const Graph graph = grid(4, 5, 3);
  for (int repeat = 0; repeat < 10; ++repeat) {
    const GraphScores scores = checkerboard(graph, 5, 3, random);
    GraphEngine engine;
    engine.settings = {.max_cells = 1, .search_cells = repeat % 2 == 0 ? 0u : 100u};
    GraphCounts counts;
    const double pair = engine.solve(scores, 0, 0, counts);
    EXPECT_GE(engine.solve(scores, 0, 1, counts), pair);
  }
}

// d value / d score = count, also for free energies at a fixed point, whatever the temperatures.
TEST(GraphEngine, CountsAreTheGradient) {
  Random random(4);
  const Graph graph = grid(3, 4, 3);
  for (const auto& [max_cells, sums] : {std::pair{1u, "bethe"}, {1u, "tree-reweighted"}, {1u << 20, "bethe"}})
    for (const auto& [output, latent] : {std::pair{1.0, 1.0}, {0.4, 0.4}, {0.8, 1.3}}) {
      GraphScores scores = checkerboard(graph, 4, 0.5, random);
      scores.observe(5, 1);
      GraphScores direction = scores;
      randomise(direction, 1, random);
      GraphEngine engine;
      engine.settings.max_cells = max_cells;
      engine.settings.max_sweeps = 1000;
      engine.settings.tolerance = 1e-13;
      engine.settings.sums = sums;
      GraphCounts counts, other;
      engine.solve(scores, output, latent, counts);
      EXPECT_TRUE(engine.answer().converged);
      EXPECT_EQ(engine.answer().exact, max_cells > 1);
      const auto value = [&](double step) {
        GraphScores moved = scores;
        for (std::size_t c = 0; c < graph.node_cells(); ++c) moved.node(0)[c] += step * direction.node(0)[c];
        for (std::size_t c = 0; c < graph.edge_cells(); ++c) moved.edge(0)[c] += step * direction.edge(0)[c];
        return engine.solve(moved, output, latent, other);
      };
      constexpr double h = 1e-3;  // the error of this formula is O(h⁴)
      const double slope = (8 * (value(h) - value(-h)) - (value(2 * h) - value(-2 * h))) / (12 * h);
      EXPECT_NEAR(slope, total(counts, direction), 1e-8) << output << " " << latent;
    }
}

// T_τ[f] = τ T_1[f / τ], by every way.
TEST(GraphEngine, TemperatureIsScale) {
  Random random(5);
  const Graph graph = grid(4, 4, 3);
  for (const auto& [max_cells, sums] :
       {std::pair{1u, "bethe"}, {1u, "tree-reweighted"}, {1u << 20, "bethe"}}) {
    const GraphScores scores = checkerboard(graph, 4, 0.7, random);
    for (double temperature : {0.25, 0.5, 4.0}) {
      GraphScores scaled = scores;
      for (std::size_t c = 0; c < graph.node_cells(); ++c) scaled.node(0)[c] /= temperature;
      for (std::size_t c = 0; c < graph.edge_cells(); ++c) scaled.edge(0)[c] /= temperature;
      GraphEngine engine;
      engine.settings = {.max_cells = max_cells, .max_sweeps = 1000, .sums = sums, .tolerance = 1e-12};
      GraphCounts counts, scaled_counts;
      const double value = engine.solve(scores, temperature, temperature, counts);
      EXPECT_NEAR(value, temperature * engine.solve(scaled, 1, 1, scaled_counts),
                  1e-11 * (1 + std::abs(value)));
      for (std::size_t c = 0; c < graph.edge_cells(); ++c)
        EXPECT_NEAR(counts.edge(0)[c], scaled_counts.edge(0)[c], 1e-9);
    }
  }
}

// 0 ≤ T_τ − max ≤ τ log(number of assignments), for either temperature.
TEST(GraphEngine, LowTemperaturesTendToTheMaximum) {
  Random random(6);
  const Graph graph = grid(3, 4, 3);
  const GraphScores scores = checkerboard(graph, 4, 1, random);
  GraphEngine engine;
  GraphCounts hard, soft;
  const double log_assignments = 12 * std::log(3.0), maximum = engine.solve(scores, 0, 0, hard);
  const double mixed = engine.solve(scores, 0, 1, hard);
  for (double temperature : {1e-1, 1e-3, 1e-5}) {
    const double both = engine.solve(scores, temperature, temperature, soft) - maximum;
    EXPECT_GE(both, -1e-12 * (1 + maximum));
    EXPECT_LE(both, temperature * log_assignments + 1e-12 * maximum);
    const double output = engine.solve(scores, temperature, 1, soft) - mixed;
    EXPECT_GE(output, -1e-12 * (1 + mixed));
    EXPECT_LE(output, temperature * log_assignments + 1e-12 * mixed);
  }
  for (std::size_t i = 0; i < graph.nodes(); ++i)
    if (!scores.hidden(i)) {
      EXPECT_NEAR(soft.node(i)[hard.structure()[i]], 1, 1e-9);
    }
}

// No recursion, and time that grows with the graph only: a long chain, a star, a grid too wide for
// elimination.
TEST(GraphEngine, LargeGraphsAreServed) {
  constexpr Index kNodes = 100'000;
  std::vector<Graph::Edge> chain, star;
  for (Index i = 1; i < kNodes; ++i) chain.push_back({i - 1, i}), star.push_back({i, 0});
  const std::vector<Index> states(kNodes, 2);
  Random random(7);
  for (const Graph& graph : {Graph(states, chain), Graph(states, star), grid(200, 300, 2)}) {
    GraphScores scores;
    scores.shape(graph);
    randomise(scores, 0.3, random);
    GraphEngine engine;
    GraphCounts counts;
    const double maximum = engine.solve(scores, 0, 0, counts);
    EXPECT_NEAR(maximum, scores.of(counts.structure()), 1e-9 * (1 + maximum));
    const bool tree = graph.edges() < graph.nodes();
    EXPECT_EQ(engine.answer().way, tree ? GraphEngine::kElimination : GraphEngine::kMaxima);
    EXPECT_GT(engine.solve(scores, 1, 1, counts), maximum);
    EXPECT_EQ(engine.answer().exact, tree);
    EXPECT_TRUE(engine.answer().converged);
  }
}

TEST(GraphEngine, RefusesWhatMessagesCannotAnswer) {
  Random random(8);
  const Graph graph = grid(3, 3, 2);
  const GraphScores scores = checkerboard(graph, 3, 1, random);
  GraphEngine engine;
  engine.settings.max_cells = 1;
  GraphCounts counts;
  EXPECT_THROW(engine.solve(scores, 1, 0, counts), InputError);
}

// Nodes of one state, every other one beside the first hub, the rest beside the second: the message of the
// first has an axis for every other node of the second's table, more than any table of two states a node has.
TEST(GraphEngine, EliminatesHubsAmongNodesOfOneState) {
  for (std::size_t leaves : {3u, 62u, 63u, 64u, 82u, 300u}) {
    std::vector<Index> states = {3, 2};
    std::vector<Graph::Edge> edges = {{0, 1}};
    for (std::size_t k = 0; k < leaves; ++k) {
      edges.push_back({static_cast<Index>(k % 2), static_cast<Index>(states.size())});
      states.push_back(1);
    }
    const Graph graph(states, edges);
    GraphScores scores;
    scores.shape(graph);
    Random random(leaves);
    randomise(scores, 1, random);
    for (double temperature : kTemperatures) expect_enumeration(scores, temperature, temperature);
    scores.hide(0);
    scores.hide(1);
    for (double output : kTemperatures)
      for (double latent : kTemperatures) expect_enumeration(scores, output, latent);
  }
}

// Before anything is solved: by the size of the tables, which may depend on what is hidden.
TEST(GraphEngine, SaysWhereItMayApproximate) {
  Random random(5);
  const Graph graph = random_graph(30, 60, false, random);
  GraphScores scores;
  scores.shape(graph);
  randomise(scores, 3, random);
  GraphEngine engine;
  GraphCounts counts;
  for (std::uint64_t cells : {std::uint64_t{0}, std::uint64_t{50}, std::uint64_t{1} << 40}) {
    engine.settings.max_cells = cells;
    for (double temperature : {0.0, 1.0}) {
      const bool may = engine.may_approximate(scores, temperature, temperature);
      EXPECT_EQ(may, cells < 1000);
      engine.solve(scores, temperature, temperature, counts);
      EXPECT_EQ(engine.answer().way != GraphEngine::kElimination, may);
      EXPECT_TRUE(may || engine.answer().exact);
    }
  }
}

}  // namespace
}  // namespace hinge
