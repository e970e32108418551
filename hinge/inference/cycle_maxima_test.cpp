#include "hinge/inference/cycle_maxima.h"

#include <gtest/gtest.h>

#include <set>

#include "hinge/core/random.h"
#include "hinge/inference/graph_engine.h"

namespace hinge {
namespace {

Graph random_graph(std::size_t nodes, std::size_t edges, Random& random) {
  std::vector<Index> states;
  for (std::size_t i = 0; i < nodes; ++i) states.push_back(static_cast<Index>(1 + random.below(4)));
  std::vector<Graph::Edge> all;
  for (Index a = 0; a < nodes; ++a)
    for (Index b = 0; b < a; ++b) all.push_back(random.below(2) == 0 ? Graph::Edge{a, b} : Graph::Edge{b, a});
  random.shuffle(all);
  all.resize(std::min(all.size(), edges));
  return {states, all};
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

GraphScores draw(const Graph& graph, double pairs, Random& random) {
  GraphScores scores;
  scores.shape(graph);
  for (std::size_t c = 0; c < graph.node_cells(); ++c) scores.node(0)[c] = random.normal();
  for (std::size_t c = 0; c < graph.edge_cells(); ++c) scores.edge(0)[c] = pairs * random.normal();
  return scores;
}

// Small graphs with their shares: nothing is observed, so that no score is left outside of these.
struct Problem {
  Graph graph;
  GraphScores scores;
  Vector unary;
  MessageSchedule schedule;
  CycleMessages messages;
  double best;

  Problem(int kind, Random& random)
      : graph(kind % 3 == 0 ? grid(2, 4, 3) : random_graph(2 + random.below(5), random.below(14), random)),
        scores(draw(graph, kind % 2 == 0 ? 3 : 0.5, random)),
        schedule(graph, std::vector<char>(graph.nodes(), false)) {
    if (kind % 5 == 4) scores.node(0)[random.below(graph.node_cells())] = kForbidden;
    if (kind % 7 == 6 && graph.edge_cells() > 0)
      scores.edge(0)[random.below(graph.edge_cells())] = kForbidden;
    unary.assign(scores.node(0), scores.node(0) + graph.node_cells());
    messages.begin(schedule, scores, unary);
    best = kForbidden;
    GraphEngine::for_each_structure(scores,
                                    [&](const Assignment& s) { best = std::max(best, scores.of(s)); });
  }
  double rounding() const { return 1e-11 * (1 + std::abs(messages.score(Assignment(graph.nodes(), 0)))); }
};

TEST(ShortCycles, AreTheSquaresOfAGrid) {
  const Graph graph = grid(5, 7, 2);
  const MessageSchedule schedule(graph, std::vector<char>(graph.nodes(), false));
  const auto cycles = short_cycles(schedule);
  EXPECT_EQ(cycles.size(), 4 * 6);
  for (const auto& cycle : cycles) EXPECT_EQ(cycle.length, 4);
  std::vector<char> observed(graph.nodes(), false);
  observed[8] = true;  // inside: four squares are gone
  EXPECT_EQ(short_cycles(MessageSchedule(graph, observed)).size(), 4 * 6 - 4);
}

// Every triangle and every square without a chord, once, as brute force finds them.
TEST(ShortCycles, EqualThoseOfAllNodesTaken) {
  Random random(1);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const Graph graph = random_graph(3 + random.below(5), 3 + random.below(8), random);
    const std::size_t n = graph.nodes();
    std::vector<char> joined(n * n, false);
    for (const auto& e : graph.all_edges()) joined[e.from * n + e.to] = joined[e.to * n + e.from] = true;
    const MessageSchedule schedule(graph, std::vector<char>(n, false));
    std::set<std::set<Index>> found, expected;
    const auto cycles = short_cycles(schedule);
    for (const auto& cycle : cycles) {
      std::set<Index> nodes;
      for (std::size_t k = 0; k < cycle.length; ++k) {
        const Index a = schedule.places[cycle.places[k]].node;
        const Index b = schedule.places[cycle.places[(k + 1) % cycle.length]].node;
        EXPECT_TRUE(joined[a * n + b]);
        nodes.insert(a);
      }
      EXPECT_EQ(nodes.size(), cycle.length);
      found.insert(nodes);
    }
    EXPECT_EQ(found.size(), cycles.size());
    for (Index a = 0; a < n; ++a)
      for (Index b = 0; b < n; ++b)
        for (Index c = 0; c < n; ++c) {
          if (a == b || b == c || a == c || !joined[a * n + b] || !joined[b * n + c]) continue;
          if (joined[a * n + c]) expected.insert({a, b, c});
          for (Index d = 0; d < n; ++d)
            if (d != a && d != b && d != c && joined[c * n + d] && joined[d * n + a] && !joined[a * n + c] &&
                !joined[b * n + d])
              expected.insert({a, b, c, d});
        }
    if (graph.edges() < n + 3) {
      EXPECT_EQ(found, expected);
    } else {
      EXPECT_TRUE(std::includes(expected.begin(), expected.end(), found.begin(), found.end()));
    }
  }
}

TEST(CycleMessages, BoundFallsAndStaysAboveAndSharesAddUp) {
  Random random(2);
  int reached = 0;
  for (int kind = 0; kind < 100; ++kind) {
    Problem problem(kind, random);
    double before = problem.messages.bound();
    for (int sweep = 0; sweep < 30; ++sweep) {
      problem.messages.sweep();
      const double bound = problem.messages.bound();
      EXPECT_LE(bound, before + problem.rounding());
      EXPECT_GE(bound, problem.best - problem.rounding());
      before = bound;
    }
    reached += before <= problem.best + 1e-6;
    for (int repeat = 0; repeat < 5; ++repeat) {
      Assignment s;
      for (std::size_t i = 0; i < problem.graph.nodes(); ++i)
        s.push_back(static_cast<int>(random.below(problem.graph.states(i))));
      const double sum = problem.messages.or_forbidden(problem.messages.score(s)),
                   score = problem.scores.of(s);
      EXPECT_TRUE(sum == score || std::abs(sum - score) <= problem.rounding()) << sum << " " << score;
    }
  }
  EXPECT_GT(reached, 50);
}

// With room for all the search finds the maximum, whatever the bound; with little room it says so where it did not, and
// what it says of the bound is true.
TEST(FrontierSearch, EqualsEnumeration) {
  Random random(3);
  int proven = 0, open = 0;
  for (int kind = 0; kind < 100; ++kind) {
    Problem problem(kind, random);
    for (int sweep = 0; sweep < kind % 4; ++sweep) problem.messages.sweep();
    for (const std::size_t most : {100'000u, 3u}) {
      Assignment winner(problem.graph.nodes(), 0);
      const double bound = problem.messages.bound(), known = problem.messages.score(winner);
      FrontierSearch search;
      const auto result = search.run(problem.messages, bound, bound - known, most, winner);
      const double value = problem.messages.score(winner), rounding = problem.rounding();
      EXPECT_GE(value, known - rounding);
      EXPECT_EQ(result.better, value > known + rounding / 10);
      EXPECT_GE(result.bound, problem.best - rounding);
      EXPECT_TRUE(result.proven || most == 3);
      if (result.proven && problem.best != kForbidden) {
        EXPECT_NEAR(value, problem.best, rounding);
        EXPECT_NEAR(result.bound, problem.best, rounding);
      }
      ++(result.proven ? proven : open);
    }
  }
  EXPECT_GT(proven, 120);
  EXPECT_GT(open, 10);
}

// On grids whose pairs are random tables the bound over edges seldom meets the maximum; that over squares, searched, does.
TEST(CycleMaxima, ProveMoreThanEdges) {
  Random random(4);
  int edges = 0, squares = 0;
  for (int repeat = 0; repeat < 20; ++repeat) {
    const Graph graph = grid(6, 9, 4);
    GraphScores scores = draw(graph, 1, random);
    if (repeat % 2 == 0)
      for (std::size_t i = 0; i < graph.nodes(); i += 5) scores.observe(i, static_cast<int>(random.below(4)));
    GraphEngine exact, fused, cycles;
    fused.settings = {.max_cells = 0, .maxima = "fusion", .search_cells = 0};
    cycles.settings = {.max_cells = 0, .maxima = "cycles", .search_cells = 0};
    exact.settings.max_cells = std::uint64_t{1} << 40;
    GraphCounts counts;
    const double maximum = exact.solve(scores, 0, 0, counts), rounding = 1e-12 * (1 + std::abs(maximum));
    ASSERT_TRUE(exact.answer().exact);
    fused.solve(scores, 0, 0, counts);
    edges += fused.answer().exact;
    const double value = cycles.solve(scores, 0, 0, counts);
    squares += cycles.answer().exact;
    EXPECT_EQ(cycles.answer().way, GraphEngine::kCycles);
    EXPECT_NEAR(scores.of(counts.structure()), value, rounding);
    EXPECT_GE(cycles.bound(), maximum - rounding);
    EXPECT_LE(value, maximum + rounding);
    if (cycles.answer().exact) {
      EXPECT_NEAR(value, maximum, rounding);
    }
  }
  EXPECT_GE(squares, 18);
  EXPECT_GE(squares, edges + 5);
}

}  // namespace
}  // namespace hinge
