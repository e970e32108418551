// Dense vectors, and the views of them that tasks and solvers pass around.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hinge {

using Index = std::uint32_t;              // a feature, a label, a position
using Vector = std::vector<double>;       // owned weights or gradients
using Weights = std::span<const double>;  // weights to read
inline constexpr Index kMaxDimension = 0x7fffffff;

// In four sums that the processor makes at once.
inline double dot(Weights a, Weights b) {
  double sum[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= a.size(); i += 4)
    for (std::size_t k = 0; k < 4; ++k) sum[k] += a[i + k] * b[i + k];
  for (; i < a.size(); ++i) sum[0] += a[i] * b[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

inline double squared_norm(Weights a) { return dot(a, a); }

}  // namespace hinge
