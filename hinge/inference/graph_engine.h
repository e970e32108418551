// Inference on pairwise graphs:
//
//     solve: T_τy over outputs of T_τh over hidden nodes of score(s), observed nodes fixed
//
// Exact by elimination (elimination.h) where the tables fit. The counts are its gradient: marginals of nodes
// and edges under p^(τy,τh).
#pragma once

#include <array>
#include <utility>

#include "hinge/inference/answer.h"
#include "hinge/inference/elimination.h"

namespace hinge {

struct GraphSettings {
  std::size_t max_cells = std::size_t{1} << 21;  // of the tables of elimination beyond those of the edges
};

class GraphEngine {
 public:
  using Scores = GraphScores;
  using Counts = GraphCounts;
  using Structure = Assignment;
  static constexpr std::array<const char*, 1> ways = {"elimination"};

  GraphSettings settings;

  double solve(const Scores& scores, double output_temperature, double latent_temperature, Counts& counts);
  const Answer& answer() const { return answer_; }

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
  // Adds the edges at observed nodes to unary_, and returns what observed nodes alone contribute.
  double condition(const Scores& scores);
  void count_observed(const Scores& scores, Counts& counts) const;

  Answer answer_;
  Elimination elimination_;
  Roles roles_;
  Vector unary_;
};

}  // namespace hinge
