// How graphs are solved: when exactly, and when to stop passing messages.
#pragma once

#include <string>

#include "hinge/core/options.h"

namespace hinge {

struct GraphSettings {
  std::uint64_t max_cells = std::uint64_t{1} << 21;
  std::string maxima = "auto";
  std::uint64_t search_cells = 4096;
  int max_sweeps = 100;
  double damping = 0;
  std::string sums = "tree-reweighted";
  double tolerance = 1e-8;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("max_cells", self.max_cells, range::any,
          "exact inference while its tables have at most this many cells more than the graph's own; 0: pass "
          "messages always");
    visit(
        "maxima", self.maxima, range::one_of({"auto", "cut", "cycles", "expansion", "fusion", "messages"}),
        "maxima of graphs whose tables have more cells: by a minimum cut where nodes have two labels and "
        "edges attract, else by messages (auto); by a cut always, or an error (cut); by expansion moves; by "
        "messages whose labellings are fused by cuts; the same, and messages between short cycles with a "
        "search that proves most maxima (cycles); or by messages alone");
    visit("search_cells", self.search_cells, range::any,
          "where messages pass, improve maxima by exact inference on parts of the graph whose tables have at "
          "most this many cells each; 0: do not");
    visit("max_sweeps", self.max_sweeps, range::at_least_one, "passing messages: at most this many sweeps");
    visit("damping", self.damping, range::between(0, 0.99),
          "passing messages: how much of the old message is kept");
    visit("sums", self.sums, range::one_of({"tree-reweighted", "bethe"}),
          "passing messages that add up: tree-reweighted, which bounds the sum from above and has one fixed "
          "point, so that one can learn with it; or bethe, plain belief propagation");
    visit("tolerance", self.tolerance, range::positive,
          "passing messages: stop when no message changes by more than this");
  }
};

}  // namespace hinge
