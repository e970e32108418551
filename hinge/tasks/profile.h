// How often each letter stands at each position of the sites that a model finds.
#pragma once

#include <string>
#include <vector>

#include "hinge/core/vector.h"

namespace hinge {

struct Profile {
  std::string letters;         // of the alphabet
  bool both_strands = false;   // sites were looked for on
  Vector background;           // the share of each letter in all sequences
  std::vector<Vector> counts;  // of each position: of each letter
  std::size_t sites = 0;

  // The shares of the letters at a position, with `pseudocount` sites' worth of background.
  Vector shares(std::size_t position, double pseudocount) const {
    Vector share(letters.size());
    double sum = pseudocount;
    for (double count : counts[position]) sum += count;
    for (std::size_t a = 0; a < share.size(); ++a)
      share[a] = (counts[position][a] + pseudocount * background[a]) / sum;
    return share;
  }
};

}  // namespace hinge
