// log_sum(a, b) = log(exp(a) + exp(b)), where −∞ is nothing.
#pragma once

#include <algorithm>
#include <cmath>

#include "hinge/core/smooth_max.h"

namespace hinge {

inline double log_sum(double a, double b) {
  const double high = std::max(a, b), low = std::min(a, b);
  return low == kForbidden ? high : high + std::log1p(std::exp(low - high));
}

}  // namespace hinge
