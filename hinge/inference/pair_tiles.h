// The loops of pair_sums.h over one tile of a row, its columns 0 … width − 1, in sums of products. All numbers of a tile are
// in its unit; what comes from a tile with another is multiplied by `factor`. Nothing that may be above 0 falls below kFloor.
#pragma once

#include <cstddef>

#include "hinge/inference/pair_rows.h"

namespace hinge::pair_tiles {

using pair_rows::Amounts;
using pair_rows::Cells;
using pair_rows::ColumnGaps;
using pair_rows::RowGaps;

inline constexpr std::size_t kTile = 32;
inline constexpr double kFloor = 0x1p-850, kFloorBits = -850;

// Each returns the largest number of the three states.

// M and X from the row before, then Z. `match` of pairs that leave column 0, 1, …; `first` is M of column 0, `carry` its
// Z, `start` what begins at each cell.
double forward(Cells from, Cells to, const double* match, RowGaps gaps, ColumnGaps columns, std::size_t width,
               double factor, double start, double first, double carry);
// Z alone, of M and X that are there.
double scan(Cells to, RowGaps gaps, ColumnGaps columns, std::size_t width, double carry);
// What may follow each cell. `last` is what follows the pair that leaves the last column, `carry` the Z behind it. `diagonal`
// becomes what follows the pairs, `after` the Z of the next column.
double backward(Cells behind, Cells to, const double* match, RowGaps gaps, ColumnGaps columns,
                std::size_t width, double factor, double stop, double last, double carry, double* diagonal,
                double* after);
// Expected uses of the parts that leave the cells: what leads there, the part and what follows, times `share`, which `start`
// has already.
void amounts(Cells cells, const double* behind_x, const double* diagonal, const double* after, RowGaps gaps,
             ColumnGaps columns, std::size_t width, double factor, double start, double share, Amounts out);

}  // namespace hinge::pair_tiles
