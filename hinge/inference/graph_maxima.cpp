#include "hinge/inference/graph_maxima.h"

#include <algorithm>

namespace hinge {

void graph_maxima(GraphEngine& engine, const GraphScores& scores, Vector& out) {
  const Graph& graph = scores.graph();
  GraphScores some = scores;
  GraphCounts counts;
  const double best = engine.solve(some, 0, 0, counts);
  const Assignment winner = counts.structure();
  out.assign(graph.node_cells(), best);
  if (best == kForbidden) return;
  for (std::size_t i = 0; i < graph.nodes(); ++i) {
    const int observed = scores.observed(i);
    for (std::size_t k = 0; k < graph.states(i); ++k) {
      if (static_cast<int>(k) == winner[i]) continue;
      double& worth = out[graph.node_begin(i) + k];
      if (observed != GraphScores::kOpen || scores.node(i)[k] == kForbidden) {
        worth = kForbidden;
        continue;
      }
      some.observe(i, static_cast<int>(k));
      worth = std::min(best, engine.solve(some, 0, 0, counts));
    }
    some.observe(i, observed);
  }
}

}  // namespace hinge
