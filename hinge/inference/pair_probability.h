// A pair of positions and how probable it is, as answers of alignments and folds list them.
#pragma once

#include <cstddef>

namespace hinge {

struct PairProbability {
  static constexpr double kListed = 0.001;  // less probable pairs are not listed
  std::size_t i, j;
  double probability;
};

}  // namespace hinge
