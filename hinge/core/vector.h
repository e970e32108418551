// Dense vectors, and the views of them that tasks and solvers pass around.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hinge {

using Index = std::uint32_t;              // a feature, a label, a position
using Vector = std::vector<double>;       // owned weights or gradients
using Weights = std::span<const double>;  // weights to read
inline constexpr Index kMaxDimension = 0x7fffffff;

// Of two vectors of one size, in four sums that the processor makes at once. The bound of the loops names
// both sizes, so that a compiler which knows one of them (an array) sees that it is not passed.
inline double dot(Weights a, Weights b) {
  assert(a.size() == b.size());
  const std::size_t size = a.size() < b.size() ? a.size() : b.size(), whole = size - size % 4;
  double sum[4] = {};
  for (std::size_t i = 0; i < whole; i += 4)
    for (std::size_t k = 0; k < 4; ++k) sum[k] += a[i + k] * b[i + k];
  for (std::size_t i = whole; i < size; ++i) sum[0] += a[i] * b[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

inline double squared_norm(Weights a) { return dot(a, a); }

}  // namespace hinge
