#include "hinge/inference/fusion.h"

#include <gtest/gtest.h>

#include "hinge/core/random.h"
#include "hinge/inference/expansion.h"
#include "hinge/inference/graph_engine.h"

namespace hinge {
namespace {

Graph random_graph(std::size_t nodes, std::size_t states, std::size_t edges, Random& random) {
  std::vector<Index> counts;
  for (std::size_t i = 0; i < nodes; ++i) counts.push_back(static_cast<Index>(1 + random.below(states)));
  std::vector<Graph::Edge> all;
  for (Index a = 0; a < nodes; ++a)
    for (Index b = 0; b < a; ++b) all.push_back(random.below(2) == 0 ? Graph::Edge{a, b} : Graph::Edge{b, a});
  random.shuffle(all);
  all.resize(std::min(all.size(), edges));
  return {counts, all};
}

GraphScores draw(const Graph& graph, double pairs, Random& random) {
  GraphScores scores;
  scores.shape(graph);
  for (std::size_t c = 0; c < graph.node_cells(); ++c) scores.node(0)[c] = random.normal();
  for (std::size_t c = 0; c < graph.edge_cells(); ++c) scores.edge(0)[c] = pairs * random.normal();
  return scores;
}

// Edges of two binary nodes attract, or do so once `turned` nodes are read the other way round.
void make_attractive(GraphScores& scores, const std::vector<bool>& turned) {
  const Graph& graph = scores.graph();
  for (std::size_t e = 0; e < graph.edges(); ++e) {
    const auto [from, to] = graph.edge(e);
    if (graph.states(from) != 2 || graph.states(to) != 2) continue;
    double* t = scores.edge(e);
    const bool same = turned[from] == turned[to];
    if ((t[0] + t[3] >= t[1] + t[2]) == same) continue;
    std::swap(t[0], t[1]);
    std::swap(t[2], t[3]);
  }
}

Vector own_scores(const GraphScores& scores) {
  return {scores.node(0), scores.node(0) + scores.graph().node_cells()};
}

double best(const GraphScores& scores) {
  double value = kForbidden;
  GraphEngine::for_each_structure(scores,
                                  [&](const Assignment& s) { value = std::max(value, scores.of(s)); });
  return value;
}

// Some edges score one number where their ends differ, and some of these one where they agree; either may be forbidden.
void make_plain(GraphScores& scores, Random& random) {
  const Graph& graph = scores.graph();
  for (std::size_t e = 0; e < graph.edges(); ++e) {
    if (random.below(3) == 0) continue;
    const bool one_if_same = random.below(2) == 0;
    const double same = random.below(10) == 0 ? kForbidden : random.normal();
    const double mixed = random.below(10) == 0 ? kForbidden : random.normal();
    const std::size_t rows = graph.states(graph.edge(e).from), columns = graph.states(graph.edge(e).to);
    for (std::size_t a = 0; a < rows; ++a)
      for (std::size_t b = 0; b < columns; ++b)
        if (a != b || one_if_same) scores.edge(e)[a * columns + b] = a == b ? same : mixed;
  }
}

// Over all 2^n ways to mix: never worse than before, and the best where it says so.
TEST(Fusion, EqualsEnumerationOfMixtures) {
  Random random(1);
  int exact = 0, inexact = 0;
  for (int repeat = 0; repeat < 600; ++repeat) {
    const Graph graph = random_graph(2 + random.below(7), 4, random.below(15), random);
    GraphScores scores = draw(graph, repeat % 3 == 0 ? 0.1 : 1, random);
    if (repeat % 4 > 1) make_plain(scores, random);
    if (repeat % 2 == 0)  // ends of one state attract
      for (std::size_t e = 0; e < graph.edges(); ++e) {
        const std::size_t K = graph.states(graph.edge(e).to);
        for (std::size_t a = 0; a < std::min<std::size_t>(K, graph.states(graph.edge(e).from)); ++a)
          scores.edge(e)[a * K + a] += 2;
      }
    if (repeat % 5 == 0) scores.node(0)[random.below(graph.node_cells())] = kForbidden;
    if (repeat % 7 == 0 && graph.edge_cells() > 0)
      scores.edge(0)[random.below(graph.edge_cells())] = kForbidden;
    const Vector unary = own_scores(scores);
    Assignment s(graph.nodes()), proposal(graph.nodes());
    for (std::size_t i = 0; i < graph.nodes(); ++i) {
      s[i] = static_cast<int>(random.below(graph.states(i)));
      proposal[i] = static_cast<int>(random.below(graph.states(i)));
    }
    const double before = scores.of(s);
    double most = kForbidden;
    for (std::size_t mask = 0; mask < (std::size_t{1} << graph.nodes()); ++mask) {
      Assignment x = s;
      for (std::size_t i = 0; i < graph.nodes(); ++i)
        if ((mask >> i) & 1) x[i] = proposal[i];
      most = std::max(most, scores.of(x));
    }
    Fusion fusion;
    fusion.begin(scores, unary);
    Assignment found = s;
    const auto move = fusion.fuse(proposal, found);
    const double value = scores.of(found);
    EXPECT_GE(value, before);
    EXPECT_LE(value, most);
    if (move.gain == 0) {
      EXPECT_EQ(found, s);
    } else if (before != kForbidden) {
      EXPECT_NEAR(value - before, move.gain, 1e-12 * (1 + std::abs(value)));
    }
    if (move.exact && most == kForbidden) {
      EXPECT_EQ(value, kForbidden);
    } else if (move.exact) {
      EXPECT_NEAR(value, most, 1e-12 * (1 + std::abs(most)));
    }
    ++(move.exact ? exact : inexact);
  }
  EXPECT_GT(exact, 50);
  EXPECT_GT(inexact, 50);
}

// Two halves are there exactly where some turning of nodes makes every edge attract.
TEST(Fusion, HalvesAreFoundWhereTheyExist) {
  Random random(2);
  int found = 0, missing = 0;
  for (int repeat = 0; repeat < 300; ++repeat) {
    const std::size_t nodes = 3 + random.below(5);
    const Graph ends = random_graph(nodes, 1, nodes + random.below(6), random);
    std::vector<Index> states(nodes);
    for (Index& k : states) k = random.below(10) == 0 ? 1 : 2;
    const Graph graph(states, {ends.all_edges().begin(), ends.all_edges().end()});
    GraphScores scores = draw(graph, 1, random);
    std::vector<bool> turned(graph.nodes());
    for (std::size_t i = 0; i < graph.nodes(); ++i) turned[i] = random.below(2) == 0;
    if (repeat % 2 == 0) make_attractive(scores, turned);
    bool exists = false;
    for (std::size_t mask = 0; mask < (std::size_t{1} << graph.nodes()); ++mask) {
      bool attracts = true;
      for (std::size_t e = 0; e < graph.edges(); ++e) {
        const auto [from, to] = graph.edge(e);
        if (graph.states(from) != 2 || graph.states(to) != 2) continue;
        const double* t = scores.edge(e);
        const bool same = ((mask >> from) & 1) == ((mask >> to) & 1);
        attracts &= (t[0] + t[3] >= t[1] + t[2]) == same;
      }
      exists |= attracts;
    }
    const Vector unary = own_scores(scores);
    Fusion fusion;
    fusion.begin(scores, unary);
    Assignment first, second;
    Fusion::Obstacle obstacle;
    EXPECT_EQ(fusion.halves(first, second, obstacle), exists);
    ++(exists ? found : missing);
    if (!exists) continue;
    EXPECT_TRUE(fusion.fuse(second, first).exact);
    EXPECT_NEAR(scores.of(first), best(scores), 1e-12 * (1 + std::abs(best(scores))));
  }
  EXPECT_GT(found, 50);
  EXPECT_GT(missing, 50);
}

// cost(s) ≤ 2 c cost(x): the bound lies above every labelling, and on Potts graphs it is no idle one.
TEST(Expansion, BoundLiesAboveTheMaximum) {
  Random random(3);
  int useful = 0;
  for (int repeat = 0; repeat < 200; ++repeat) {
    const Graph graph = random_graph(2 + random.below(5), 4, random.below(10), random);
    GraphScores scores = draw(graph, repeat % 2, random);
    double highest = 0;
    for (std::size_t e = 0; e < graph.edges() && repeat % 2 == 0; ++e) {
      const std::size_t K = graph.states(graph.edge(e).to);
      for (std::size_t a = 0; a < std::min<std::size_t>(K, graph.states(graph.edge(e).from)); ++a)
        scores.edge(e)[a * K + a] = 1;
    }
    for (std::size_t i = 0; i < graph.nodes(); ++i) {
      if (random.below(6) == 0) scores.observe(i, 0);
      highest += *std::max_element(scores.node(i), scores.node(i) + graph.states(i));
    }
    for (std::size_t e = 0; e < graph.edges(); ++e)
      highest += *std::max_element(scores.edge(e), scores.edge(0) + graph.edge_begin(e + 1));
    GraphEngine engine;
    engine.settings.max_cells = 0;
    engine.settings.maxima = "expansion";
    GraphCounts counts;
    const double value = engine.solve(scores, 0, 0, counts), maximum = best(scores);
    const double rounding = 1e-12 * (1 + std::abs(maximum));
    EXPECT_TRUE(engine.answer().converged);
    EXPECT_NEAR(value, scores.of(counts.structure()), rounding);
    EXPECT_LE(value, maximum + rounding);
    EXPECT_GE(engine.bound(), maximum - rounding);
    EXPECT_TRUE(!engine.answer().exact || value >= maximum - rounding);
    useful += maximum < highest - 1e-9 && engine.bound() < highest - 1e-9 * (1 + highest);
  }
  EXPECT_GT(useful, 20);
}

}  // namespace
}  // namespace hinge
