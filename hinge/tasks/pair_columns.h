// Options of lines that predictions may have behind an answer, one for each pair of letters.
#pragma once

#include "hinge/core/options.h"

namespace hinge {

struct PairColumns {
  bool marginals = false;
  double threshold = 0.01;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("marginals", self.marginals, range::any,
          "behind each answer, lines '; LETTER LETTER PROBABILITY' of pairs of letters");
    visit("threshold", self.threshold, range::between(0.001, 1), "leave out pairs that are less probable");
  }
};

}  // namespace hinge
