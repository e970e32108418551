// A greedy order of elimination: of the nodes that may go next, the one whose table is smallest (or, on small
// graphs, that joins the fewest neighbours, whichever gives fewer cells).
#pragma once

#include <vector>

#include "hinge/inference/graph_plan.h"

namespace hinge {

struct EliminationOrder {
  std::vector<Index> nodes;               // those not observed, in order
  std::vector<std::vector<Index>> rests;  // the neighbours of each when it goes, unsorted
  double cells = 0;                       // of all tables; infinite when that is beyond the limit
};

// Hidden nodes first. About O((nodes + edges) log nodes) on sparse graphs of small width.
EliminationOrder elimination_order(const Graph& graph, const Roles& roles, std::size_t limit);

// Roles with more outputs observed, few enough that no table of what is left has more than `table_cells`
// cells (or an edge's, if that is more): a greedy order in which, when the smallest table is too large, one
// of its outputs is taken out instead. Random costs make it another set for another seed. Empty when it takes
// more than the outputs.
Roles cutset(const Graph& graph, const Roles& roles, std::size_t table_cells, std::uint64_t seed);

}  // namespace hinge
