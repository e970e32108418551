// The two training algorithms of Ping, Liu & Ihler (2014) as they stand, to compare with: steps along the
// gradient of a fixed length, without a search and without a bound.
//
//     for t = 0, 1, … max_steps − 1
//       when t is a multiple of inner_steps: linearise clamped at w
//       w ← w − step_t ∇,      ∇ = R (w − w0) + Σ_i κ_i ∇excess_i(w),      step_t = step / (1 + decay · t)
//
// With inner_steps = 1 that is sub-gradient descent (their Algorithm 1), with more it is CCCP whose convex
// problems get so many steps each (Algorithm 2). For Ω = 1/2 |w|² a step is (1 − step) w − step Σ κ ∇excess.
// The last weights are kept as in the paper, or the best of those at which the objective was computed: one a
// round of inner_steps, and the last.
//
// Ends after max_steps.
#pragma once

#include "hinge/solvers/solver.h"

namespace hinge {

struct DescentOptions {
  double step = 0.02;
  double decay = 0;
  int inner_steps = 1;
  int max_steps = 1000;
  std::string keep = "last";

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("step", self.step, range::positive, "length of a step, in units of the gradient");
    visit("decay", self.decay, range::not_negative, "the t-th step is divided by 1 + decay t");
    visit("inner_steps", self.inner_steps, range::at_least_one,
          "steps on one linearisation: 1 is sub-gradient descent, more is CCCP");
    visit("max_steps", self.max_steps, range::at_least_one, "stop after this many steps");
    visit("keep", self.keep, range::one_of({"last", "best"}), "the weights to end with");
  }
};

class Descent final : public Solver {
 public:
  std::string name() const override { return "descent"; }
  std::vector<OptionRef> options() override { return list_options(settings); }
  Summary solve(Objective& objective, Start start, const Observer& observer) const override;

  DescentOptions settings;
};

}  // namespace hinge
