// Options of what predictions list: several answers, and lines behind them, one for each pair of letters.
#pragma once

#include "hinge/core/options.h"

namespace hinge {

struct PairColumns {
  int nbest = 1;
  bool marginals = false;
  double threshold = 0.01;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("nbest", self.nbest, range::at_least_one,
          "the K best answers, best first, each with a line '; score SCORE'");
    visit("marginals", self.marginals, range::any,
          "behind each answer, lines '; LETTER LETTER PROBABILITY' of pairs of letters");
    visit("threshold", self.threshold, range::between(0.001, 1), "leave out pairs that are less probable");
  }
};

}  // namespace hinge
