// Options of what stands beside a predicted class, for tasks that answer one.
#pragma once

#include <fmt/format.h>

#include <iterator>

#include "hinge/core/options.h"
#include "hinge/core/string_table.h"

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

  // Throws InputError when both are asked for.
  void refuse_both() const {
    if (scores && marginals) fail("`scores` and `marginals` are two columns: give one of them.");
  }

  // A line: the predicted class and, where an option asks for it, `values` of all classes.
  template <class Values>
  void append(const StringTable& classes, Index predicted, const Values& values, std::string& line) const {
    line.append(classes.text(predicted));
    if (scores || marginals)
      for (Index c = 0; c < classes.size(); ++c)
        fmt::format_to(std::back_inserter(line), " {}:{:g}", classes.text(c), values[c]);
    line.push_back('\n');
  }
};

}  // namespace hinge
