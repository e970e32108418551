// The k best assignments of a graph, best first, by splitting what is left (Lawler 1972). After the winner s of a set
// of assignments is taken, the others of the set are those that
//
//     agree with s at nodes 0 … i−1 and differ from it at node i,      for each node i that is not settled yet,
//
// each again a set with states forbidden, whose winner the engine finds. k · nodes questions at most. They are
// the best ones for certain where every answer of the engine was exact.
//
//     const hinge::Graph graph({2, 2}, {{0, 1}});
//     hinge::GraphScores scores;
//     scores.shape(graph);
//     scores.edge(0)[3] = 2;
//     hinge::GraphEngine engine;
//     const auto two = hinge::best_assignments(engine, scores, 2);  // {1, 1} with 2, then one of those with 0
#pragma once

#include "hinge/inference/graph_engine.h"

namespace hinge {

struct BestAssignments {
  std::vector<std::pair<Assignment, double>> found;  // at most k, none that is forbidden
  bool exact = true;
};

// Hidden nodes count as outputs; none is observed.
BestAssignments best_assignments(GraphEngine& engine, const GraphScores& scores, std::size_t k);

}  // namespace hinge
