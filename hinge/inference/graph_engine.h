// Inference on pairwise graphs:
//
//     solve: T_τy over outputs of T_τh over hidden nodes of score(s), observed nodes fixed
//
// Exact by elimination (elimination.h) where the tables fit; the counts are its gradient, the marginals of
// nodes and edges under p^(τy,τh). Elsewhere, by cuts or by passing messages:
//
//     τy = τh = 0    one minimum cut (fusion.h) where nodes have two states and edges attract: exact. Else
//                    tree-reweighted messages (tree_reweighted.h), improved by searching or by messages between
//                    cycles (cycle_maxima.h), or expansion moves (expansion.h): exact where their bound is met
//     τy = 0 < τh    outputs y by mixed-product or of the best (y, h), whichever is better with the hidden
//                    nodes summed, improved by searching
//     0 < τy, τh     sums (belief_propagation.h), tree-reweighted or Bethe: the free energy and its beliefs
//
// With τy = 0 the answer belongs to one y, so that it is never above the maximum and its plane lies below.
//
//     const hinge::Graph graph({2, 2, 2}, {{0, 1}, {1, 2}});  // three nodes in a row, two states each
//     hinge::GraphScores scores;
//     scores.shape(graph);
//     scores.edge(0)[3] = 2;  // both ends of the first edge at 1
//     hinge::GraphCounts counts;
//     const double best = hinge::GraphEngine().solve(scores, 0, 0, counts);  // 2
//     hinge::GraphEngine().solve(scores, 1, 1, counts);  // counts.node(1)[1] is a probability
#pragma once

#include <array>
#include <memory>
#include <utility>

#include "hinge/inference/answer.h"
#include "hinge/inference/belief_propagation.h"
#include "hinge/inference/cycle_maxima.h"
#include "hinge/inference/elimination.h"
#include "hinge/inference/expansion.h"
#include "hinge/inference/tree_reweighted.h"

namespace hinge {

class GraphEngine {
 public:
  using Scores = GraphScores;
  using Counts = GraphCounts;
  using Structure = Assignment;
  enum Way : std::size_t {
    kElimination,
    kMaxima,
    kMixed,
    kBethe,
    kTreeReweighted,
    kCut,
    kExpansion,
    kFusion,
    kCycles
  };
  static constexpr std::array<const char*, 9> ways = {
      "elimination",        "tree-reweighted messages", "mixed-product",
      "belief propagation", "tree-reweighted sums",     "minimum cut",
      "expansion moves",    "fused messages",           "messages between cycles"};

  GraphSettings settings;

  double solve(const Scores& scores, double output_temperature, double latent_temperature, Counts& counts);
  const Answer& answer() const { return answer_; }
  // Of the last solve with both temperatures 0: no structure scores more.
  double bound() const { return bound_; }
  // Where the tables of elimination do not fit, and maxima are not asked to be cuts or an error.
  bool may_approximate(const Scores& scores, double output_temperature, double latent_temperature);
  std::size_t width() const { return width_; }  // of the last elimination: the most nodes in one message

  // s with hidden nodes blotted out.
  static Assignment outputs(const Scores& scores, const Assignment& s);
  template <class F>
  static void for_each_structure(const Scores& scores, F&& f) {
    const Graph& graph = scores.graph();
    Assignment s(graph.nodes(), 0);
    for (std::size_t i = 0; i < s.size();) {
      f(std::as_const(s));
      for (i = 0; i < s.size() && ++s[i] == static_cast<int>(graph.states(i)); ++i) s[i] = 0;
    }
  }

 private:
  // Where only one kind of node is open, only its temperature counts.
  static void settle(const Scores& scores, double& output_temperature, double& latent_temperature);
  std::shared_ptr<const GraphPlan> plan_for(const Scores& scores, bool hidden_first);
  // T_τ over everything that is open, or one of the hard and mixed answers above.
  double solve_open(const Scores& scores, double output_temperature, double latent_temperature,
                    Counts& counts);
  double eliminate(const GraphPlan& plan, const Scores& scores, double output_temperature,
                   double latent_temperature, Counts& counts);
  // The maximum by one cut; false where some edge or node stands in the way of it, which is refused where nothing
  // but a cut is wished for.
  bool cut(const Scores& scores, Counts& counts, double& value);
  double expand(const Scores& scores, Counts& counts);
  double maximise(const GraphPlan& plan, const Scores& scores, Counts& counts);
  double maximise_mixed(const GraphPlan& plan, const Scores& scores, double latent_temperature,
                        Counts& counts);
  double propagate(const GraphPlan& plan, const Scores& scores, double output_temperature,
                   double latent_temperature, Counts& counts);

  // T_τh over the hidden nodes, outputs being as in s.
  double add_hidden(const Scores& scores, const Assignment& s, double latent_temperature, Counts& counts);

  // Adds the edges at observed nodes to unary_, and returns what observed nodes alone contribute.
  double condition(const Scores& scores);
  void count_observed(const Scores& scores, Counts& counts) const;
  // From the outputs in `winner` on: fixes some, solves exactly for all others, and so on with other sets
  // while that is better. Returns the value of the outputs found, with their counts; −∞ when the plan has no
  // parts.
  double search(const GraphPlan& plan, const Scores& scores, double latent_temperature, Assignment& winner,
                Counts& counts);

  Answer answer_;
  double bound_ = 0;
  std::size_t width_ = 0;
  Elimination elimination_;
  TreeReweighted tree_reweighted_;
  Fusion fusion_;
  Expansion expansion_;
  CycleMaxima cycle_maxima_;
  BeliefPropagation propagation_;
  Roles roles_;
  Vector unary_;
  Scores given_;  // the scores with the outputs observed
  Counts trial_;
  Assignment winner_, other_;
};

}  // namespace hinge
