// soft_dual, and lbfgs from its weights where it comes no further: after many visits, or where rounding is in the way.
//
// How many visits soft_dual takes grows with κ |x|² / τ, which neither C nor the data tell before; lbfgs takes as many passes
// whatever that is. So a choice that nobody made by hand has both.
#pragma once

#include "hinge/solvers/soft_dual.h"

namespace hinge {

class Handover final : public Solver {
 public:
  std::string name() const override { return first_.name(); }
  std::vector<OptionRef> options() override { return first_.options(); }
  bool divides() const override { return true; }

 private:
  Summary solve(Objective& objective, Start start, const Observer& observer) const override;

  SoftDual first_;
};

}  // namespace hinge
