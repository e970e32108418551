// The maximum with a temperature:
//
//     smooth_max(f, τ) = τ log Σ_s exp(f_s / τ),   which is max_s f_s when τ = 0.
//
// Its gradient is the softmax distribution (the indicator of the first winner when τ = 0). −∞ marks what is
// forbidden.
#pragma once

#include <cmath>
#include <limits>
#include <span>

#include "hinge/core/vector.h"

namespace hinge {

inline constexpr double kForbidden = -std::numeric_limits<double>::infinity();

// The first position of the largest value.
inline std::size_t arg_max(std::span<const double> f) {
  std::size_t best = 0;
  for (std::size_t s = 1; s < f.size(); ++s)
    if (f[s] > f[best]) best = s;
  return best;
}

inline double smooth_max(std::span<const double> f, double temperature) {
  const double top = f[arg_max(f)];
  if (temperature == 0 || top == kForbidden) return top;
  double sum = 0;
  for (double v : f) sum += std::exp((v - top) / temperature);
  return top + temperature * std::log(sum);
}

// The same, with its gradient in `probability` (as long as f; may be f itself). All zero when everything is
// forbidden.
inline double smooth_max(std::span<const double> f, double temperature, std::span<double> probability) {
  const std::size_t best = arg_max(f);
  const double top = f[best];
  if (temperature == 0 || top == kForbidden) {
    for (double& p : probability) p = 0;
    if (top != kForbidden) probability[best] = 1;
    return top;
  }
  double sum = 0;
  for (std::size_t s = 0; s < f.size(); ++s) sum += probability[s] = std::exp((f[s] - top) / temperature);
  for (double& p : probability) p /= sum;
  return top + temperature * std::log(sum);
}

}  // namespace hinge
