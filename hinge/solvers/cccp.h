// The concave-convex procedure (Yuille & Rangarajan 2003; Yu & Joachims 2009) around any convex solver: for
// labels that leave something hidden. The objective is a convex function minus a convex one,
//
//     objective(w) = [Ω(w) + Σ_i κ_i free_i(w)] − Σ_i κ_i clamped_i(w),
//
// so putting planes for the second gives a convex bound from above that touches where they were made:
//
//     repeat
//       bound ← Ω + Σ_i κ_i (free_i − the plane of clamped_i at w)      Objective::linearize
//       w     ← argmin bound                                            the inner solver
//     until the objective fell by at most decrease · |objective|
//
// bound(w) = objective(w) before the second step, so the objective never rises. The inner solver goes on from
// its last weights and planes: a new linearisation shifts all planes of an example alike
// (PlaneModel::shift). A round is solved to a share of the last decrease, and to the inner solver's own gap
// before the run may end. What is reached is a local optimum: there is no dual bound, and the start matters.
//
// On complete labels, where the objective is convex, this is the inner solver and nothing else.
#pragma once

#include "hinge/solvers/solver.h"

namespace hinge {

struct CccpOptions {
  double decrease = 1e-4;
  int max_rounds = 200;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("decrease", self.decrease, range::not_negative,
          "where labels are incomplete: stop when a round lowers the objective by at most this share of it");
    visit("max_rounds", self.max_rounds, range::at_least_one,
          "where labels are incomplete: stop after this many rounds");
  }
};

class Cccp final : public Solver {
 public:
  // Around frank_wolfe, or lbfgs where the objective is smooth.
  Cccp() = default;
  explicit Cccp(std::unique_ptr<Solver> inner) : inner_(std::move(inner)) {}

  std::string name() const override { return "cccp"; }
  std::vector<OptionRef> options() override;  // those of a given inner solver too
  std::vector<OptionGroup> option_groups() override;
  Summary solve(Objective& objective, Start start, const Observer& observer) const override;

  CccpOptions settings;

 private:
  std::unique_ptr<Solver> inner_;
};

}  // namespace hinge
