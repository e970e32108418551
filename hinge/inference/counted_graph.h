// Slack rescaling on pairwise graphs whose losses are sums over nodes, in whole multiples of one unit u:
//
//     solve_slack: max over s of Δ(s) (1 + score(s) − reference) = max over d of u d (1 + M(d) − reference),
//     M(d) = the maximum of score(s) over the s with Δ(s) = u d
//
// M comes from elimination with one more axis, the count d: a message holds one maximum for every count of the
// nodes that went before it, and messages about the same nodes are joined by M(d) = max_e A(e) + B(d − e).
// Exact; O(cells of the plan × counts²) at most.
#pragma once

#include "hinge/inference/engine.h"
#include "hinge/inference/graph_engine.h"
#include "hinge/inference/graph_plans.h"

namespace hinge {

class CountedGraphEngine : public GraphEngine {
 public:
  // Nothing may be observed, and the graph must be countable.
  double solve_slack(const GraphScores& scores, const GraphScores& losses, double reference,
                     GraphCounts& counts);

  // Whether the tables fit: elimination must be exact, and its messages times counts have a limit too.
  static bool countable(const Graph& graph, const GraphSettings& settings);

 private:
  struct Step {
    std::vector<Index> children;  // steps whose message is about this one's node first
    std::size_t most = 0;         // the largest count of the nodes up to here
    std::size_t begin = 0;        // of its message: rest_cells × (most + 1)
  };

  static std::shared_ptr<const GraphPlan> plan_of(const Graph& graph, const GraphSettings& settings);
  void count_units(const GraphScores& losses);
  void lay_out(const GraphPlan& plan);
  // The maxima that a step sends, at the states of the nodes it is about.
  const double* message(const GraphPlan& plan, std::size_t step) const;
  // The score of a step's node in its state, with its edges to nodes that go later.
  double own_score(const GraphPlan& plan, const GraphScores& scores, std::size_t step) const;
  // joined_[0] = a score at one count; each join adds what one more child says, up to joined_[joins_].
  void begin(std::size_t count, double score);
  void join(const GraphPlan& plan, const std::vector<Index>& children);
  // Splits a count among the children, as the last joins found it best.
  void split(const GraphPlan& plan, const std::vector<Index>& children, std::size_t count);
  void decode(const GraphPlan& plan, const GraphScores& scores, std::size_t count);

  double unit_ = 0;
  std::vector<std::size_t> units_;  // of each state of each node
  std::vector<std::size_t> node_begin_, states_;
  std::vector<Step> steps_;
  std::vector<Index> roots_, step_of_;
  Vector messages_;
  std::vector<Vector> joined_;
  std::size_t joins_ = 0;
  std::vector<std::size_t> wanted_;  // the count of each step, when decoding
  Assignment state_;
};

static_assert(SlackEngine<CountedGraphEngine>);

}  // namespace hinge
