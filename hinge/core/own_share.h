// How far a part should go that stands at probability 1 and is to settle where its score is what it adds to it itself:
//
//     b = most (1 − p(b)),      (1 − p(b)) / p(b) = odds · e^{−b/τ}
//
// by bisection, to a tenth of τ.
#pragma once

#include <cmath>

namespace hinge {

inline double own_share(double most, double odds, double temperature) {
  const auto against = static_cast<float>(odds), inverse = static_cast<float>(1 / temperature),
             full = static_cast<float>(most);
  float low = 0, high = full;
  for (int k = 0; k < 30 && high - low >= 0.1f / inverse; ++k) {
    const float b = 0.5f * (low + high), now = against * std::exp(-b * inverse);
    (b * (1 + now) < full * now ? low : high) = b;
  }
  return static_cast<double>(0.5f * (low + high));
}

}  // namespace hinge
