// How near bundle methods stay to their best point so far: the weight μ of a proximal term, and when a step is serious
// (bundle.h says what is minimised).
#pragma once

#include <algorithm>

namespace hinge {

constexpr double kSerious = 0.1;  // share of the promised decrease

// μ for the next step: the price of staying near grows with it, and should be half of the gap, about.
inline double adapted(double mu, double share_of_price) {
  constexpr double kSmallPrice = 0.4, kLargePrice = 0.8;
  constexpr double kChange = 1.5, kLeast = 1e-3, kMost = 1e6;
  if (share_of_price > kLargePrice) return std::max(mu / kChange, kLeast);
  if (share_of_price < kSmallPrice) return std::min(mu * kChange, kMost);
  return mu;
}

}  // namespace hinge
