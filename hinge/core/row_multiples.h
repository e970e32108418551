// out[b] += Σ_a amount[a] · row[a][b], over rows wherever they stand. Sums are made in the order of the rows, whatever part of
// the columns is asked for.
#pragma once

#include <cstddef>
#include <span>

namespace hinge {

struct RowMultiple {
  const double* row;
  double amount;
};

void add_multiples(std::span<double> out, std::span<const RowMultiple> rows);

}  // namespace hinge
