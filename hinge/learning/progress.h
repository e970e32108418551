// What a solver says while it runs.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>

#include "hinge/core/vector.h"

namespace hinge {

// (primal − dual) / primal: an upper bound on the share of the objective that could still be gained, since
// both are certified. +∞, never NaN, as long as either is unknown.
inline double relative_gap(double primal, double dual) {
  const double gap = primal - dual;
  if (gap == 0) return 0;
  return std::isfinite(gap) ? gap / primal : std::numeric_limits<double>::infinity();
}

struct Progress {
  std::size_t iteration = 0;  // rounds of the solver's outer loop
  std::size_t oracle_calls = 0;
  double passes = 0;                                        // oracle_calls / n
  double primal = std::numeric_limits<double>::infinity();  // best that was computed so far; +∞ before any
  double dual = -std::numeric_limits<double>::infinity();   // best so far; −∞ where the solver has none
  double gradient_norm = std::numeric_limits<double>::quiet_NaN();  // lbfgs
  double estimated_gap = std::numeric_limits<double>::quiet_NaN();  // where primal is rarely computed
  double inner_gap = std::numeric_limits<double>::quiet_NaN();  // relative, of the convex problem inside cccp
  std::size_t planes = 0;                                       // held in memory
  double seconds = 0;  // since the start; for people, never for decisions
  // The best so far; for as long as an observer is told, not in a history. Empty where a solver has the weights by
  // shares (`shards`), of which ranks have some each.
  Weights weights = {};

  double gap() const { return primal - dual; }
  double relative_gap() const { return hinge::relative_gap(primal, dual); }
};

}  // namespace hinge
