// The scores that published energies (energy_file.h) give the loops of a fold: −E / kT at 37 °C, so that the probability of a
// fold is exp(score) over the sum of all. Everything is as ViennaRNA counts it where both letters beside a helix may touch
// it at once (its -d2), up to its rounding of long hairpins.
#pragma once

#include "hinge/inference/fold_scores.h"
#include "hinge/tasks/fold/energy_file.h"

namespace hinge {

struct FoldEnergies {
  static constexpr double kT = 1.98717e-3 * 310.15;  // kcal/mol

  explicit FoldEnergies(EnergyFile file);

  EnergyFile file;
  FoldTables tables;  // `special` is 1
  FoldSpecials specials;
};

}  // namespace hinge
