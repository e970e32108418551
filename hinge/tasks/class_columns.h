// Options of what stands beside a predicted class, for tasks that answer one (class_answers.h).
#pragma once

#include "hinge/core/options.h"

namespace hinge {

struct ClassColumns {
  bool scores = false;
  bool marginals = false;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("scores", self.scores, range::any,
          "after each prediction, the score of every class as class:score");
    visit("marginals", self.marginals, range::any,
          "after each prediction, the probability of every class as class:probability");
  }
};

}  // namespace hinge
