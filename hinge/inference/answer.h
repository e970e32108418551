// How exact an engine's last answer was, and in which way it was found. Every engine says so (see `Engine` in
// oracle/task.h), in one of two manners:
//
//     derives from AlwaysExact            one way, whose value is that of the formula up to rounding
//     ways, answer(), may_approximate     a name for each way; the last answer; whether scores of this shape,
//                                         whatever their numbers, could get one that is not exact
//     besides: exact_alike                never where both temperatures are the same
//              exact_sums                 never where they are the same and positive
#pragma once

#include <array>
#include <cstddef>

namespace hinge {

struct Answer {
  std::size_t way = 0;    // an index into the engine's `ways`
  bool exact = true;      // the value is that of the formula, up to rounding
  bool converged = true;  // an iterative way met its own stopping rule

  template <class Snapshot>
  void keep(Snapshot& snapshot) {
    snapshot(way, exact, converged);
  }
};

struct AlwaysExact {
  static constexpr std::array<const char*, 1> ways = {"exact"};
  static constexpr Answer answer() { return {}; }
  template <class Scores>
  static constexpr bool may_approximate(const Scores&, double /*output*/, double /*latent*/) {
    return false;
  }
};

}  // namespace hinge
