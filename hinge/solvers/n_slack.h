// Cutting planes with a slack for each example (Tsochantaridis, Joachims, Hofmann & Altun 2005), for margin
// and slack rescaling and for smooth methods:
//
//     repeat
//       for every example i: add excess_i's plane at w where it is violated          one pass
//       w ← argmin  Ω(w) + Σ_i κ_i max over planes p of i of p(w)                    PlaneModel, n blocks
//
// The model lies below the objective, so its dual D is a lower bound on the minimum, and
//
//     (primal − dual) / primal ≤ gap,    primal = the best objective so far, dual = the best D so far
//
// ends the run. All planes of a pass are made at one w, in parallel. A plane is left out when the planes left
// out could not add a quarter of the wanted gap together.
#pragma once

#include "hinge/solvers/cutting_planes.h"
#include "hinge/solvers/solver.h"

namespace hinge {

struct NSlackOptions : CuttingPlaneOptions {
  NSlackOptions() { prune_age = 100; }
};

class NSlack final : public Solver {
 public:
  std::string name() const override { return "n_slack"; }
  std::vector<OptionRef> options() override { return list_options(settings); }
  Summary solve(Objective& objective, Start start, const Observer& observer) const override;

  NSlackOptions settings;
};

}  // namespace hinge
