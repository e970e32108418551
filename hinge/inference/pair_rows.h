// The loops of pair_cells.h over one row, for two ways of ⊕ and ⊗: (max, +) and (log-sum, +).
#pragma once

#include <cstddef>

namespace hinge::pair_rows {

struct Cells {
  double *m, *x, *z;  // n + 1 of each state
};
// Gaps of a row: of the letter of x that leads to it, and of its place for letters of z.
struct RowGaps {
  double open_x, extend_x, open_z, extend_z;
};
// Gaps of the columns: places for letters of x (n + 1), letters of z (n).
struct ColumnGaps {
  const double *open_x, *extend_x, *open_z, *extend_z;
};
// Expected uses: of pairs, and of letters opposite gaps.
struct Amounts {
  double *match, *open_x, *extend_x, *open_z, *extend_z;
};

struct Loops {
  // `to` from the row before; `match` is n numbers, `start` what begins at each cell.
  void (*forward)(Cells from, Cells to, const double* match, RowGaps gaps, ColumnGaps columns, std::size_t n,
                  double start);
  // Z along a row whose M and X are there.
  void (*scan)(Cells to, RowGaps gaps, ColumnGaps columns, std::size_t n);
  // What may follow each cell of a row: from the row behind (its gaps of x), `match` of that row, and `stop` at
  // each M; the last cell of all has `corner`. `diagonal` becomes match ⊗ behind.m, n numbers.
  void (*backward)(Cells behind, Cells to, const double* match, RowGaps gaps, ColumnGaps columns,
                   std::size_t n, double stop, double corner, double* diagonal);
  // Amounts of the parts that leave the cells of a row: ⊗ of what leads there, the part and what follows, times
  // `share`, as numbers. `after` is the row's own Z of backward.
  void (*amounts)(Cells cells, Cells behind, const double* after, const double* diagonal, RowGaps gaps,
                  ColumnGaps columns, std::size_t n, double start, double share, Amounts out);
  double zero, one;
};

extern const Loops kMaximum, kLogarithm;  // the first goes forward only

// The largest of count numbers.
double largest(const double* in, std::size_t count);
void multiply(double* row, std::size_t count, double factor);
double add_to(double* sums, const double* row, std::size_t count);  // returns the sum of the row
void add_rows(double* sums, const double* row, std::size_t count);

}  // namespace hinge::pair_rows
