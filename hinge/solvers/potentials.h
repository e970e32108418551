// Where soft_dual stands: scores of the parts of every example, whose distribution is the example's dual
// variable.
#pragma once

#include <memory>
#include <vector>

#include "hinge/core/vector.h"
#include "hinge/solvers/owned_examples.h"
#include "hinge/solvers/potential_row.h"

namespace hinge {

struct Potentials {
  std::vector<PotentialRow> theta;  // of each example; empty where it stands at its label
  // In passes of double precision: those of the label less those at theta, where a label is determined; else those at
  // theta. Empty where they are found again at each visit.
  std::vector<std::vector<float>> counts;
  Vector step;   // η of each example's next visit
  double C = 0;  // at which the steps were found
  // Where ranks share visits: theta and counts are those of the own examples. Null: those of all.
  std::shared_ptr<const OwnedExamples> owned = nullptr;
  void keep(Snapshot& snapshot) {
    if (owned == nullptr) {
      snapshot(theta, counts);
    } else {
      owned->keep(snapshot, theta);
      owned->keep(snapshot, counts);
    }
    snapshot(step, C);
  }
};

}  // namespace hinge
