// The loops of fold_cells.h that everything else waits for, for three ways of ⊕ and ⊗: (max, +), (sum of exponentials, ·)
// and (log-sum, +).
#pragma once

#include <cstddef>

namespace hinge::fold_loops {

// Where one pair stands inside another: all (a, b) with a letters behind i and b before j, a ≤ most_a, b ≤ most_b,
// a + b ≤ longest, from first_a on.
struct Window {
  std::size_t i, j;
  std::size_t most_a, most_b, longest, first_a = 0;
};
inline constexpr std::size_t kWidth = 31;  // of a row of the tables of loops

struct Loops {
  // ⊕_k a[k] ⊗ b[k]
  double (*dot)(const double* a, const double* b, std::size_t count);
  // ⊕ over pairs (k, l) within (i, j) of cells[k][l] ⊗ table[a][30 − b]; rows of cells are n numbers.
  double (*within)(const double* cells, std::size_t n, const double* table, const Window& window);
  // ⊕ over pairs (p, q) around (i, j) of cells[p][q] ⊗ table[a][b], a letters before i and b behind j
  double (*around)(const double* cells, std::size_t n, const double* table, const Window& window);
  double zero, one;
};
extern const Loops kMaximum, kSum, kLogarithm;

// sums[a][30 − b] += factor · cells[k][l] over the pairs of `within`; cells are exponentials, or logarithms are
// given, and factor + cell + table is exponentiated.
void add_within(double* sums, const double* cells, std::size_t n, double factor, const Window& window);
void add_within_logarithms(double* sums, const double* cells, std::size_t n, const double* table,
                           double factor, const Window& window);

// A run of cells, each with its number of a table.
struct Run {
  const double *cells = nullptr, *table = nullptr;
  std::size_t count = 0;
};
// sums[k] += what factor, cell and number are together; what all of them add.
double add_run(double* sums, const Run& run, double factor);
double add_run_logarithms(double* sums, const Run& run, double factor);

}  // namespace hinge::fold_loops
