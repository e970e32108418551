#include "hinge/inference/max_flow.h"

#include <gtest/gtest.h>

#include "hinge/core/random.h"

#if __has_include(<boost/graph/edmonds_karp_max_flow.hpp>)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/edmonds_karp_max_flow.hpp>
#pragma GCC diagnostic pop
#define HINGE_HAS_BOOST_GRAPH 1
#else
#define HINGE_HAS_BOOST_GRAPH 0
#endif

namespace hinge {
namespace {

struct Network {
  std::size_t nodes;
  std::vector<Graph::Edge> edges;
  Vector source, sink, along, against;

  // Capacities are whole numbers up to `most`, half of them 0; most = 0: any positive number.
  Network(std::size_t n, std::vector<Graph::Edge> ends, int most, Random& random)
      : nodes(n), edges(std::move(ends)) {
    const auto draw = [&] {
      if (random.below(2) == 0) return 0.0;
      return most == 0 ? random.uniform()
                       : static_cast<double>(random.below(static_cast<std::size_t>(most) + 1));
    };
    for (std::size_t i = 0; i < nodes; ++i) source.push_back(2 * draw()), sink.push_back(2 * draw());
    for (std::size_t e = 0; e < edges.size(); ++e) along.push_back(draw()), against.push_back(draw());
  }

  double cut(const std::vector<bool>& with_sink) const {
    double sum = 0;
    for (std::size_t i = 0; i < nodes; ++i) sum += with_sink[i] ? source[i] : sink[i];
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (!with_sink[edges[e].from] && with_sink[edges[e].to]) sum += along[e];
      if (with_sink[edges[e].from] && !with_sink[edges[e].to]) sum += against[e];
    }
    return sum;
  }
  void pour(MaxFlow& flow) const {
    for (std::size_t i = 0; i < nodes; ++i) flow.add_terminals(i, source[i], sink[i]);
    for (std::size_t e = 0; e < edges.size(); ++e) flow.add_edge(e, along[e], against[e]);
  }
  std::vector<bool> side(const MaxFlow& flow) const {
    std::vector<bool> with_sink(nodes);
    for (std::size_t i = 0; i < nodes; ++i) with_sink[i] = flow.with_sink(i);
    return with_sink;
  }
};

std::vector<Graph::Edge> random_edges(std::size_t nodes, std::size_t count, Random& random) {
  std::vector<Graph::Edge> edges;
  for (std::size_t e = 0; e < count; ++e) {
    const std::size_t a = random.below(nodes), b = random.below(nodes);
    if (a != b) edges.push_back({static_cast<Index>(a), static_cast<Index>(b)});
  }
  return edges;
}

std::vector<Graph::Edge> grid_edges(std::size_t rows, std::size_t columns) {
  std::vector<Graph::Edge> edges;
  for (std::size_t i = 0; i < rows * columns; ++i) {
    const auto node = static_cast<Index>(i);
    if ((i + 1) % columns > 0) edges.push_back({node, node + 1});
    if (i + columns < rows * columns) edges.push_back({node, static_cast<Index>(i + columns)});
  }
  return edges;
}

// Flow = the smallest cut of all, and the cut that is said is one of those, with the fewest nodes at the sink.
TEST(MaxFlow, EqualsEnumerationOfCuts) {
  Random random(1);
  MaxFlow flow;
  for (int repeat = 0; repeat < 400; ++repeat) {
    const std::size_t nodes = 1 + random.below(9);
    const Network network(nodes, random_edges(nodes, random.below(25), random), repeat % 3 == 0 ? 0 : 3,
                          random);
    double least = std::numeric_limits<double>::infinity();
    std::size_t fewest = 0;
    std::vector<bool> side(nodes);
    for (std::size_t mask = 0; mask < (std::size_t{1} << nodes); ++mask) {
      for (std::size_t i = 0; i < nodes; ++i) side[i] = (mask >> i) & 1;
      const double cut = network.cut(side);
      const auto count = static_cast<std::size_t>(std::ranges::count(side, true));
      if (cut < least - 1e-12 || (cut < least + 1e-12 && count < fewest)) fewest = count;
      least = std::min(least, cut);
    }
    flow.shape(nodes, network.edges);
    for (int again = 0; again < 2; ++again) {  // the shape is kept
      flow.clear();
      network.pour(flow);
      EXPECT_NEAR(flow.solve(), least, 1e-12 * (1 + least));
      const std::vector<bool> found = network.side(flow);
      EXPECT_NEAR(network.cut(found), least, 1e-12 * (1 + least));
      EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(found, true)), fewest);
    }
  }
}

// Capacities may be added in pieces.
TEST(MaxFlow, AddsCapacities) {
  MaxFlow flow;
  const Graph::Edge edges[] = {{0, 1}};
  flow.shape(2, edges);
  flow.add_terminals(0, 3, 0);
  flow.add_terminals(0, 0, 1);
  flow.add_terminals(1, 0, 2);
  flow.add_edge(0, 0.5, 0);
  flow.add_edge(0, 1, 0);
  EXPECT_EQ(flow.solve(), 2.5);  // 1 straight through node 0, 1.5 along the edge
}

// Any cut is an upper bound on any flow: where both meet, both are right, at any size.
TEST(MaxFlow, CutMeetsFlowOnGrids) {
  Random random(2);
  MaxFlow flow;
  for (const int most : {0, 1, 20}) {
    const Network network(60 * 90, grid_edges(60, 90), most, random);
    flow.shape(network.nodes, network.edges);
    network.pour(flow);
    const double value = flow.solve();
    EXPECT_NEAR(network.cut(network.side(flow)), value, 1e-11 * value);
  }
}

// Another implementation, another algorithm: that of Edmonds and Karp in Boost.Graph on whole numbers.
TEST(MaxFlow, EqualsBoost) {
#if HINGE_HAS_BOOST_GRAPH
  using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
  using BoostGraph = boost::adjacency_list<
      boost::vecS, boost::vecS, boost::directedS, boost::no_property,
      boost::property<boost::edge_capacity_t, long,
                      boost::property<boost::edge_residual_capacity_t, long,
                                      boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;
  Random random(3);
  MaxFlow flow;
  for (int repeat = 0; repeat < 30; ++repeat) {
    const bool grid = repeat % 2 == 0;
    const std::size_t nodes = grid ? 12 * 15 : 50 + random.below(100);
    const Network network(nodes, grid ? grid_edges(12, 15) : random_edges(nodes, 6 * nodes, random),
                          repeat % 3 == 0 ? 2 : 50, random);
    BoostGraph graph(nodes + 2);
    const auto add = [&](std::size_t a, std::size_t b, double along, double against) {
      const auto there = boost::add_edge(a, b, graph).first, back = boost::add_edge(b, a, graph).first;
      boost::put(boost::edge_capacity, graph, there, static_cast<long>(along));
      boost::put(boost::edge_capacity, graph, back, static_cast<long>(against));
      boost::put(boost::edge_reverse, graph, there, back);
      boost::put(boost::edge_reverse, graph, back, there);
    };
    for (std::size_t i = 0; i < nodes; ++i) {
      add(nodes, i, network.source[i], 0);
      add(i, nodes + 1, network.sink[i], 0);
    }
    for (std::size_t e = 0; e < network.edges.size(); ++e)
      add(network.edges[e].from, network.edges[e].to, network.along[e], network.against[e]);
    flow.shape(nodes, network.edges);
    network.pour(flow);
    EXPECT_EQ(flow.solve(), static_cast<double>(boost::edmonds_karp_max_flow(graph, nodes, nodes + 1)));
  }
#else
  GTEST_SKIP() << "Boost.Graph is not installed: scripts/packages test installs it.";
#endif
}

}  // namespace
}  // namespace hinge
