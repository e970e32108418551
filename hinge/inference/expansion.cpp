#include "hinge/inference/expansion.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hinge {

Expansion::Result Expansion::solve(const GraphScores& scores, const Vector& unary, int max_rounds,
                                   Fusion& fusion, Assignment& s) {
  const Graph& graph = scores.graph();
  std::size_t labels = 1;
  for (std::size_t i = 0; i < graph.nodes(); ++i) {
    if (scores.observed(i) != GraphScores::kOpen) continue;
    labels = std::max(labels, graph.states(i));
    s[i] = static_cast<int>(arg_max({unary.data() + graph.node_begin(i), graph.states(i)}));
  }
  Result result{true, false};
  std::size_t idle = 0;
  const std::size_t most = labels * static_cast<std::size_t>(max_rounds);
  for (std::size_t step = 0; step < most && idle < labels; ++step) {
    const std::size_t label = step % labels;
    proposal_ = s;
    for (std::size_t i = 0; i < graph.nodes(); ++i)
      if (label < graph.states(i)) proposal_[i] = static_cast<int>(label);
    const auto move = fusion.fuse(proposal_, s);
    const bool better = move.gain > 0;
    result.exact_moves = move.exact && (better || idle == 0 || result.exact_moves);
    idle = better ? 1 : idle + 1;
  }
  result.converged = idle >= labels;
  result.exact_moves &= result.converged;
  return result;
}

double expansion_bound(const GraphScores& scores, const Assignment& s, const Fusion& fusion,
                       bool exact_moves) {
  const Graph& graph = scores.graph();
  double highest = 0, cost = 0, ratio = 1;
  for (std::size_t i = 0; i < graph.nodes(); ++i) {
    const auto state = static_cast<std::size_t>(s[i]);
    const bool fixed = scores.observed(i) != GraphScores::kOpen;
    const double most =
        fixed ? scores.node(i)[state] : *std::max_element(scores.node(i), scores.node(i) + graph.states(i));
    highest += most;
    cost += most - scores.node(i)[state];
  }
  for (std::size_t e = 0; e < graph.edges(); ++e) {
    const auto [from, to] = graph.edge(e);
    if (const Fusion::Plain& plain = fusion.plain(e); plain.whole()) {
      const double most = std::max(plain.same, plain.mixed);
      if (plain.same != plain.mixed)
        ratio = std::max(ratio, (most - std::min(plain.same, plain.mixed)) / (most - plain.mixed));
      highest += most;
      cost += most - (s[from] == s[to] ? plain.same : plain.mixed);
      continue;
    }
    const double* table = scores.edge(e);
    const std::size_t rows = graph.states(from), columns = graph.states(to);
    const double most = *std::max_element(table, table + rows * columns);
    double largest = 0, smallest = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < rows; ++a)
      for (std::size_t b = 0; b < columns; ++b) {
        const double v = most - table[a * columns + b];
        largest = std::max(largest, v);
        if (a != b) smallest = std::min(smallest, v);
      }
    if (largest > 0) ratio = std::max(ratio, largest / smallest);
    highest += most;
    cost += most - table[static_cast<std::size_t>(s[from]) * columns + static_cast<std::size_t>(s[to])];
  }
  return exact_moves && std::isfinite(cost) && std::isfinite(ratio) ? highest - cost / (2 * ratio) : highest;
}

}  // namespace hinge
