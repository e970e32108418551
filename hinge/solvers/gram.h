// Margins in the dual on products of rows alone (oracle/gram_oracle.h): each row i has α_i over its states, and
//
//     w[i S + c] = −κ_i (slope of Σ_s α_is plane_s in φ(x_i), component c),      z_i = Σ_j k_ij w[j S + ·],
//     dual   = Σ_i κ_i Σ_s α_is offset_s − Ω(w),      primal = Ω(w) + Σ_i κ_i max_s plane_s(z_i).
//
// z is known for all rows at all times, and with it the gap of each, κ_i (max_s − mean of α_i) plane_s(z_i), whose sum
// is primal − dual. Until that is at most gap · primal:
//
//     choose   the rows with the largest gaps, and some whose α is open, and make their rows of k
//     solve    these, with the k of these alone, until a third of their gaps is left (chosen_blocks.h)
//     spread   what that did to w over the z of all rows
//
// The first of these loops is that of decomposition (Joachims 1999), the second has that of Crammer & Singer 2001 in it. A row that is right by a margin is never chosen, and its row of k never made.
//
// Where an example is no sum over rows, its planes are found one by one instead (gram_planes.h).
#pragma once

#include "hinge/solvers/solver.h"

namespace hinge {

struct GramOptions {
  double gap = 1e-3;
  double max_passes = 10000;
  int chosen = 500;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("gap", self.gap, range::not_negative, "stop when (primal - dual) / primal is at most this");
    visit("max_passes", self.max_passes, range::positive, "stop after this many oracle calls per example");
    visit("chosen", self.chosen, range::at_least_one, "rows that are solved by their own products at a time");
  }
};

class Gram final : public Solver {
 public:
  std::string name() const override { return "gram"; }
  std::vector<OptionRef> options() override { return list_options(settings); }
  Summary solve(Objective& objective, Start start, const Observer& observer) const override;

  GramOptions settings;
};

}  // namespace hinge
