// Stochastic subgradient steps with weighted averaging (Pegasos, Shalev-Shwartz 2007; the averaging of
// Lacoste-Julien, Schmidt & Bach 2012).
//
//     W ← 0
//     for pass p = 1, 2, …  and each example i, in random order:
//       plane ← plane of n κ_i excess_i that touches at w
//       W ← W + p
//       w ← w − γ R⁻¹ (plane.slope + R (w − w0)),        γ = p / W: 1/t in the first pass, near 2/t later
//     answer: the mean of all iterates w, each with weight p
//
// Unrolled, w − w0 = v / W with v = −R⁻¹ Σ p · plane.slope, so that a step changes v where the plane is not
// zero and the scale 1/W, nothing else. The mean of the iterates is kept by the same means. With S = Σ p / W
// (p and W as they are before each step), and z = Σ S · (what each step adds to v),
//
//     Σ p · (w − w0) = S v − z,
//
// for what a step adds to v counts in the iterates after it, with Σ p / W of those: S at the end minus S
// then.
//
// After whole passes every example has the same weight in W, so the sum of the planes divided by W is a mean
// of planes of Σ κ_i excess_i: it lies below, and min over u of Ω(u) + mean(u) is a lower bound on the
// objective (as in subgradient.h).
//
// Stops when (primal − dual) / primal ≤ gap, looked at every evaluate_every passes, or after max_passes.
// A step costs what the plane touches. Where the oracle does not serve scaled queries (slack rescaling, a
// task without parts) or the regulariser has a centre, it costs O(dimension), and the summary's message says
// so.
#pragma once

#include <cstdint>

#include "hinge/solvers/solver.h"

namespace hinge {

struct StochasticOptions {
  double gap = 1e-3;
  int max_passes = 200;
  int evaluate_every = 5;
  int warm_passes = 10;
  std::uint64_t seed = 1;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("gap", self.gap, range::not_negative, "stop when (primal - dual) / primal is at most this");
    visit("max_passes", self.max_passes, range::at_least_one,
          "stop after this many passes over the examples, those of evaluations included");
    visit("evaluate_every", self.evaluate_every, range::at_least_one,
          "compute the objective, which takes a pass, after this many passes");
    visit("warm_passes", self.warm_passes, range::at_least_one,
          "given start weights count for this many passes: more keeps nearer to them");
    visit("seed", self.seed, range::any, "seed of the order of the examples");
  }
};

class Stochastic final : public Solver {
 public:
  std::string name() const override { return "stochastic"; }
  std::vector<OptionRef> options() override { return list_options(settings); }
  Summary solve(Objective& objective, Start start, const Observer& observer) const override;

  StochasticOptions settings;
};

}  // namespace hinge
