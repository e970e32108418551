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

inline double dot(Weights a, Weights b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline double squared_norm(Weights a) { return dot(a, a); }

}  // namespace hinge
