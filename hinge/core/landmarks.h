// Rows of a positive semidefinite matrix K, known entry by entry, that the others can be told by: a pivoted
// Cholesky factorisation, whose next pivot is the row that is told worst (Fine & Scheinberg 2001).
//
//     K of the pivots = R Rᵀ,      φ_i = R⁻¹ (K of the pivots with i),      rest_i = K_ii − |φ_i|²
//     |K_ij − <φ_i, φ_j>| ≤ √(rest_i rest_j)
//
// With as many pivots as K has independent rows, the rest is 0 and products of the φ are K itself.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace hinge {

struct Landmarks {
  std::vector<std::size_t> pivots;
  std::vector<double> triangle;  // R, column by column, each from its diagonal down
  double rest = 0;               // the largest
  double least = 0;              // the smallest, below 0 where K is not positive semidefinite, or by rounding

  std::size_t size() const { return pivots.size(); }
  // R⁻¹ k, in the place of k; the triangle alone is looked at.
  void solve(std::span<double> k) const;
};

// Stops after `most` pivots, or where no rest is above `tolerance`. `column` writes the entries of a row with
// all n.
Landmarks choose_landmarks(std::span<const double> diagonal,
                           const std::function<void(std::size_t row, std::span<double> out)>& column,
                           std::size_t most, double tolerance);

}  // namespace hinge
