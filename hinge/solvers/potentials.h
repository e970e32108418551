// Where soft_dual stands: scores of the parts of every example, whose distribution is the example's dual
// variable.
#pragma once

#include <vector>

#include "hinge/core/vector.h"
#include "hinge/solvers/potential_row.h"

namespace hinge {

struct Potentials {
  std::vector<PotentialRow> theta;  // of each example; empty where it stands at its label
  // In passes of double precision: those of the label less those at theta, where a label is determined; else those at
  // theta. Empty where they are found again at each visit.
  std::vector<std::vector<float>> counts;
  Vector step;   // η of each example's next visit
  double C = 0;  // at which the steps were found
  void keep(Snapshot& snapshot) { snapshot(theta, counts, step, C); }
};

}  // namespace hinge
