// Cutting planes with one slack for all examples (Joachims, Finley & Yu 2009), for margin and slack
// rescaling and for smooth methods. With R the mean of the excesses, whose planes are means over examples:
//
//     repeat
//       add R's plane at w                                          one pass over the examples
//       w ← argmin  Ω(w) + C max over planes p of p(w)              PlaneModel with one block
//
// The model lies below the objective, so its dual D is a lower bound on the minimum:
//
//     (primal − dual) / primal ≤ gap,    primal = the best objective so far, dual = the best D so far
//
// ends the run, after O(C / gap) rounds whatever the number of examples. With a cache, a plane put together
// from the examples' remembered planes is used instead of a pass while it is violated by at least
// `cache_share` of the gap. Its value is never taken for R(w).
#pragma once

#include "hinge/solvers/cutting_planes.h"
#include "hinge/solvers/solver.h"

namespace hinge {

struct OneSlackOptions : CuttingPlaneOptions {
  int cache = 0;
  double cache_share = 0.5;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    CuttingPlaneOptions::describe(self, visit);
    visit("cache", self.cache, range::not_negative,
          "planes to remember of each example: saves passes where inference is slow, costs memory");
    visit("cache_share", self.cache_share, range::between(0, 1),
          "use a remembered plane when it is violated by this share of the gap");
  }
};

class OneSlack final : public Solver {
 public:
  std::string name() const override { return "one_slack"; }
  std::vector<OptionRef> options() override { return list_options(settings); }
  Summary solve(Objective& objective, Start start, const Observer& observer) const override;

  OneSlackOptions settings;
};

}  // namespace hinge
