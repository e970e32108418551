// The subgradient method over all examples at once (Ratliff, Bagnell & Zinkevich 2007), the simplest solver
// there is.
//
//     for t = 1, 2, …
//       plane ← Σ_i κ_i excess_i, linearised at w                        one pass over the examples
//       w     ← w − γ_t R⁻¹ (plane.slope + R (w − w0)),                  γ_t = 2 / (t + 1)
//
// Unrolled, w − w0 = −R⁻¹ (the mean of all slopes so far, the t-th with weight t), that is: w minimises
// Ω + mean, where mean is the weighted mean of the planes. A mean of planes lies below the objective too, so
//
//     dual = min over u of Ω(u) + mean(u)
//
// is a lower bound that costs nothing (Bach 2015: the method is a Frank-Wolfe method on the dual). The best
// iterate is within O(1/t) of the minimum.
//
// Stops when (primal − dual) / primal ≤ gap, or after max_passes.
#pragma once

#include "hinge/solvers/solver.h"

namespace hinge {

struct SubgradientOptions {
  double gap = 1e-3;
  int max_passes = 1000;
  bool average = false;
  int warm_passes = 10;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("gap", self.gap, range::not_negative, "stop when (primal - dual) / primal is at most this");
    visit("max_passes", self.max_passes, range::at_least_one,
          "stop after this many passes over the examples");
    visit("average", self.average, range::any,
          "also try the mean of all iterates, the t-th with weight t, which costs a second pass a round");
    visit("warm_passes", self.warm_passes, range::at_least_one,
          "given start weights count for this many passes: more keeps nearer to them");
  }
};

class Subgradient final : public Solver {
 public:
  std::string name() const override { return "subgradient"; }
  std::vector<OptionRef> options() override { return list_options(settings); }
  Summary solve(Objective& objective, Start start, const Observer& observer) const override;

  SubgradientOptions settings;
};

}  // namespace hinge
