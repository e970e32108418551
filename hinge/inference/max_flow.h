// The largest flow from a source to a sink, which is the smallest cut between them:
//
//     max flow = min over sides S of  Σ_{i ∉ S} source_i + Σ_{i ∈ S} sink_i + Σ_{i ∈ S, j ∉ S} capacity_ij
//
// Two trees of arcs that can take more flow grow from both ends until they touch, the path between them is
// filled, and what was torn off finds another parent (Boykov & Kolmogorov 2004). Nodes and arcs stand in flat
// arrays, the arcs of a node side by side, so that a shape that is solved often is laid out once.
//
//     hinge::MaxFlow flow;
//     const hinge::Graph::Edge edges[] = {{0, 1}};
//     flow.shape(2, edges);
//     flow.add_terminals(0, 3, 0);  // from the source, to the sink
//     flow.add_terminals(1, 0, 2);
//     flow.add_edge(0, 1, 0);       // along the edge, against it
//     flow.solve();                 // 1, and node 1 alone is with the sink
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "hinge/inference/graph.h"

namespace hinge {

class MaxFlow {
 public:
  // Nodes and edges, none of which can take any flow. Fewer than 2^31 edges; no edge has both ends at one node.
  void shape(std::size_t nodes, std::span<const Graph::Edge> edges);
  void clear();  // the same shape, all capacities 0

  // All capacities are finite and not negative.
  void add_terminals(std::size_t i, double source, double sink) {
    double& excess = nodes_[i].excess;
    (excess > 0 ? source : sink) += std::abs(excess);
    direct_ += std::min(source, sink);
    excess = source - sink;
  }
  void add_edge(std::size_t e, double along, double against) {
    arcs_[place_[2 * e]].rest += along;
    arcs_[place_[2 * e + 1]].rest += against;
  }

  // The flow. Capacities are then what is left of them: clear() before the next.
  double solve();
  // Afterwards: the sides of the smallest cut that has the fewest nodes with the sink.
  bool with_sink(std::size_t i) const { return nodes_[i].parent != kNone && nodes_[i].sinks; }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max(), kRoot = kNone - 1,
                                 kOrphan = kNone - 2;  // instead of an arc
  struct Arc {
    double rest;  // of its capacity
    Index head;
    std::uint32_t sister;  // the arc back
  };
  struct Node {
    double excess;                // what the source (or, negative, the sink) can still take
    std::uint32_t first_arc;      // up to the next node's
    std::uint32_t parent;         // the arc to it, or one of the above; kNone: in no tree
    std::uint32_t time;           // when its distance was last known to be right
    std::uint32_t distance : 30;  // to the root, at that time
    std::uint32_t sinks : 1;      // whether its tree is that of the sink
    std::uint32_t queued : 1;
  };

  void plant();
  void enqueue(Index i);
  // The arc from the source's tree to the sink's where they touch, or kNone when nothing at i can grow.
  std::uint32_t grow(Index i);
  void fill(std::uint32_t bridge);
  void orphan(Index i);
  void adopt(Index i);
  // How many arcs from i to its root; 0 when it ends at an orphan. Marks the way as looked at.
  std::uint32_t distance_to_root(Index i);
  double rest_towards(const Node& of, std::uint32_t arc) const {
    return arcs_[of.sinks ? arc : arcs_[arc].sister].rest;
  }

  std::vector<Node> nodes_;  // and one behind the last
  std::vector<Arc> arcs_;
  std::vector<std::uint32_t> place_;  // of the arcs along and against each edge
  std::vector<Index> queue_;          // a ring of nodes that may grow
  std::size_t first_ = 0, last_ = 0;
  std::vector<Index> orphans_;  // a queue
  std::uint32_t time_ = 0;
  double flow_ = 0, direct_ = 0;
};

}  // namespace hinge
