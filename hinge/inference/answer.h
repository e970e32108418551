// How an engine came to its last answer. An engine that is always exact, in one way, need not say so; one
// that has several ways offers `static constexpr ways` (a name each) and `answer()`.
#pragma once

#include <cstddef>

namespace hinge {

struct Answer {
  std::size_t way = 0;    // an index into the engine's `ways`
  bool exact = true;      // the value is that of the formula, up to rounding
  bool converged = true;  // an iterative way met its own stopping rule
};

}  // namespace hinge
