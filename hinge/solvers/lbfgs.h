// Limited-memory BFGS for smooth formulations (Nocedal 1980), and OWL-QN where the regulariser has an L1 term
// (Andrew & Gao 2007).
//
//     repeat
//       p ← −H ∇                       H from the last `memory` steps, see curvature_pairs.h
//       w ← w + t p                    t by strong_wolfe, see line_search.h; nearly always t = 1
//
// With an L1 term λ |w|_1, ∇ is the subgradient of least norm, p is cut where it disagrees with −∇, the step
// is projected on the orthant of w (of −∇ where w is 0), and t is halved until the objective decreases
// enough.
//
// The gradient certifies how far the minimum can be. The excesses are convex and Ω is a quadratic with
// curvature R plus λ |w|_1; with g the gradient at w of all but the L1 term, for every u
//
//     objective(u) ≥ objective(w) + Σ_j [ g_j (u_j − w_j) + r_j/2 (u_j − w_j)² + λ |u_j| − λ |w_j| ].
//
// The least value of the right side over u, one weight at a time by soft thresholding, is a dual bound.
// Without L1 it is objective(w) − Σ_j g_j² / (2 r_j). A mean of the tangents so far gives another
// (tangent_mean.h); the better of the two counts.
//
// Stops when (primal − dual) / primal ≤ gap, or |∇| ≤ gradient_norm · max(1, |w|), or after max_passes.
//
// Where labels are incomplete and the objective was not linearised, it goes down the non-convex objective
// itself (Objective::follow), which takes far fewer passes than cccp. There is no dual then; it stops at
// 1/2 |∇|² ≤ gap · |objective|, the bound that this gradient would give were the objective convex.
#pragma once

#include "hinge/solvers/solver.h"

namespace hinge {

struct LbfgsOptions {
  double gap = 1e-3;
  double gradient_norm = 0;
  int memory = 10;
  int max_passes = 1000;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("gap", self.gap, range::not_negative, "stop when (primal - dual) / primal is at most this");
    visit("gradient_norm", self.gradient_norm, range::not_negative,
          "stop when the gradient's norm is at most this times max(1, norm of the weights)");
    visit("memory", self.memory, range::between(1, 100),
          "steps that are remembered; each takes 8 bytes a weight");
    visit("max_passes", self.max_passes, range::at_least_one,
          "stop after this many passes over the examples");
  }
};

class Lbfgs final : public Solver {
 public:
  std::string name() const override { return "lbfgs"; }
  std::vector<OptionRef> options() override { return list_options(settings); }
  Summary solve(Objective& objective, Start start, const Observer& observer) const override;

  LbfgsOptions settings;
};

}  // namespace hinge
