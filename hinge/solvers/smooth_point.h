// A point of a smooth objective: its weights, value, gradient, and the lower bound on the minimum that the
// gradient certifies (the formula is in lbfgs.h). Its vectors are of the weights that the run works at.
#pragma once

#include "hinge/solvers/run.h"

namespace hinge {

struct SmoothPoint {
  explicit SmoothPoint(Vector weights) : w(std::move(weights)), gradient(w.size()) {}

  Vector w;
  Vector gradient;   // of all but the L1 term
  Vector steepest;   // the subgradient of least norm; empty without L1 and bounds, where it is the gradient
  double value = 0;  // with the L1 term
  double bound = 0;  // of the minimum, from below
  double steepest_norm = 0;

  const Vector& descent() const { return steepest.empty() ? gradient : steepest; }

  void keep(Snapshot& snapshot, const WeightShares& shares) {
    shares.keep(snapshot, w);
    shares.keep(snapshot, gradient);
    shares.keep(snapshot, steepest);
    snapshot(value, bound, steepest_norm);
  }

  // Everything from w, in one pass over the examples. Returns <gradient, direction>, 0 for an empty
  // direction.
  double evaluate(const Objective& objective, Run& run, Weights direction);

 private:
  void add_regulariser(const Run& run);
  double add_plain(const WeightShares& shares, Weights direction);
};

}  // namespace hinge
