// The best one-to-one assignment of rows to columns (Kuhn 1955, Munkres 1957, in the O(rows² columns) form
// with potentials):
//
//     max over one-to-one a of Σ_r weight[r][a(r)],     weights of 0 or more, rows ≤ columns
#pragma once

#include <span>

namespace hinge {

double best_assignment(std::span<const double> weight, std::size_t rows, std::size_t columns);

}  // namespace hinge
