// An oracle whose hidden parts are known: what a label leaves open was drawn at random, once. Then the
// objective is convex, and its optimum the first round of the concave-convex procedure from random structures
// (Yu & Joachims 2009 begin so with motifs). The oracle behind is not owned.
#pragma once

#include <vector>

#include "hinge/core/errors.h"
#include "hinge/oracle/forwarding_oracle.h"

namespace hinge {

class DrawnOracle final : public ForwardingOracle {
 public:
  // Throws InputError when the task cannot draw; see `can_draw`.
  DrawnOracle(const Oracle& hidden, std::uint64_t seed) : ForwardingOracle(hidden), drawn_(hidden.size()) {
    for (std::size_t i = 0; i < drawn_.size(); ++i)
      if (!hidden.determined(i) && !hidden.draw(i, seed, drawn_[i]))
        fail("example {}: the task cannot draw what its label leaves open: it needs draw_features.", i + 1);
  }
  DrawnOracle(const Oracle&&, std::uint64_t) = delete;
  static bool can_draw(const Oracle& oracle) {
    Plane plane;
    return oracle.size() > 0 && oracle.draw(0, 0, plane);
  }

  void support(std::size_t i, Weights w, const Query& query, Plane& out) const override {
    if (query.side == Side::clamped && !determined(i))
      out = drawn_[i];
    else
      behind_.support(i, w, query, out);
  }
  double add_support(std::size_t i, Weights w, const Query& query, double factor,
                     std::span<double> slope) const override {
    if (query.side != Side::clamped || determined(i)) return behind_.add_support(i, w, query, factor, slope);
    drawn_[i].slope.add_to(slope, factor);
    return drawn_[i].at(w);
  }

 private:
  std::vector<Plane> drawn_;  // the clamped sides; empty where the label is complete
};

}  // namespace hinge
