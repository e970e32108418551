// The proximal bundle method (Kiwiel 1990) on one block, with Ω kept in the model as in BMRM. With R the mean
// of the excesses, f = Ω + C R the objective, ŵ the prox-centre and |·|_r the norm of Ω:
//
//     repeat
//       w ← argmin  Ω(w) + C max over planes p of p(w) + μ/2 |w − ŵ|²_r
//       add R's plane at w                                                       one pass over the examples
//       serious step, ŵ ← w,   when f falls by a tenth of what the model promised; else a null step
//       adapt μ
//
// Ω and the proximal term are one quadratic with curvature (1 + μ) r and centre (w0 + μ ŵ) / (1 + μ), so the
// step is a PlaneModel with that centre and block weight C / (1 + μ). one_slack is μ = 0; staying near ŵ
// halves its rounds, or better, since planes say little about far weights.
//
// The planes weighted by α give one plane a ≤ R, hence a certificate for any μ:
//
//     dual = min over u of Ω(u) + C a(u)  ≤  min f,
//     f(ŵ) − dual = [f(ŵ) − (Ω + C a)(w)] + μ²/2 |w − ŵ|²_r.
//
// The second part of the gap is the price of staying near: μ grows while it is a small share, and shrinks
// while it is a large one. Stops when (primal − dual) / primal ≤ gap.
#pragma once

#include "hinge/solvers/cutting_planes.h"
#include "hinge/solvers/solver.h"

namespace hinge {

struct BundleOptions : CuttingPlaneOptions {
  double proximity = 10;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    CuttingPlaneOptions::describe(self, visit);
    visit("proximity", self.proximity, range::positive,
          "first weight of the proximal term, in units of the regulariser");
  }
};

class Bundle final : public Solver {
 public:
  std::string name() const override { return "bundle"; }
  std::vector<OptionRef> options() override { return list_options(settings); }
  Summary solve(Objective& objective, Start start, const Observer& observer) const override;

  BundleOptions settings;
};

}  // namespace hinge
