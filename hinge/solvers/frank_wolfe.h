// Block-coordinate Frank-Wolfe in the dual, on cached planes (Lacoste-Julien et al. 2013; Shah et al. 2015;
// Osokin et al. 2016). The dual of the objective gives each example i a distribution over its planes;
// PlaneModel keeps those found so far, with their Gram matrices. Until (primal − dual) / primal ≤ gap:
//
//     oracle pass    for each example, in random order, the ones with little to gain left out for a while:
//                        find its best plane at w, add it, solve the example's block
//     cached passes  solve the blocks again on the planes they hold, as long as a pass gains more dual per
//                    multiplication than the last oracle pass did
//     certificate    when the gaps seen in the pass sum to little enough: all planes at one w, so that the
//                    primal value is known; the planes are added, so that the pass is not lost
//
// Where the oracle lists all planes of an example (multiclass), its block is complete: an oracle call scores
// them all and solves the block exactly, nothing is cached, and examples are visited one after the other. So are the
// rows of a sample whose loss is a sum over them (Oracle::divided), each a block.
//
// Blocks of collected planes go in waves of fixed size: found and solved at one w, perhaps at the same time; then
// the steps are taken one after the other, each as far as is best where the others before it have left w. Work is
// counted in multiplications, never in time. So runs repeat bit for bit with any number of threads.
#pragma once

#include "hinge/solvers/solver.h"

namespace hinge {

struct FrankWolfeOptions {
  double gap = 1e-3;
  double max_passes = 1000;
  std::uint64_t seed = 1;
  int batch = 16;
  int plane_age = 10;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("gap", self.gap, range::not_negative, "stop when (primal - dual) / primal is at most this");
    visit("max_passes", self.max_passes, range::positive, "stop after this many oracle calls per example");
    visit("seed", self.seed, range::any, "of the order in which examples are visited");
    visit("batch", self.batch, range::at_least_one,
          "examples that are solved at the same weights, perhaps in parallel");
    visit("plane_age", self.plane_age, range::at_least_one,
          "drop a plane that was not active in this many solves of its block");
  }
};

class FrankWolfe final : public Solver {
 public:
  std::string name() const override { return "frank_wolfe"; }
  std::vector<OptionRef> options() override { return list_options(settings); }
  Summary solve(Objective& objective, Start start, const Observer& observer) const override;
  bool divides() const override { return true; }

  FrankWolfeOptions settings;
};

}  // namespace hinge
