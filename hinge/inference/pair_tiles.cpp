#include "hinge/inference/pair_tiles.h"

#include <algorithm>

#include "hinge/core/clones.h"

namespace hinge::pair_tiles {
namespace {

#define HINGE_INLINE [[gnu::always_inline]] static inline

HINGE_INLINE double largest_of(Cells row, std::size_t width) {
  const double* __restrict m = row.m, * __restrict x = row.x, * __restrict z = row.z;
  constexpr std::size_t kWide = 8;
  double best[kWide] = {};
  std::size_t j = 0;
  for (; j + kWide <= width; j += kWide)
    for (std::size_t l = 0; l < kWide; ++l) {
      const double pair = m[j + l] > x[j + l] ? m[j + l] : x[j + l];
      const double any = pair > z[j + l] ? pair : z[j + l];
      best[l] = any > best[l] ? any : best[l];
    }
  for (; j < width; ++j) best[0] = std::max({best[0], m[j], x[j], z[j]});
  for (std::size_t l = 1; l < kWide; ++l) best[0] = best[l] > best[0] ? best[l] : best[0];
  return best[0];
}

HINGE_INLINE void scan_tile(Cells to, RowGaps gaps, ColumnGaps columns, std::size_t width, double carry) {
  const double* __restrict m = to.m, * __restrict x = to.x;
  const double* __restrict open = columns.open_z, * __restrict extend = columns.extend_z;
  double* __restrict z = to.z;
  double opened[kTile], factor[kTile];
  for (std::size_t j = 0; j + 1 < width; ++j) {
    opened[j] = (m[j] + x[j]) * (open[j] * gaps.open_z) + kFloor;
    factor[j] = extend[j] * gaps.extend_z;
  }
  z[0] = carry;
  for (std::size_t j = 0; j + 1 < width; ++j) {
    carry = opened[j] + carry * factor[j];
    z[j + 1] = carry;
  }
}

}  // namespace

HINGE_CLONES double scan(Cells to, RowGaps gaps, ColumnGaps columns, std::size_t width, double carry) {
  scan_tile(to, gaps, columns, width, carry);
  return largest_of(to, width);
}

HINGE_CLONES double forward(Cells from, Cells to, const double* match, RowGaps gaps, ColumnGaps columns,
                            std::size_t width, double factor, double start, double first, double carry) {
  const double* __restrict fm = from.m, * __restrict fx = from.x, * __restrict fz = from.z;
  const double* __restrict s = match, * __restrict open = columns.open_x, * __restrict extend = columns.extend_x;
  double* __restrict tm = to.m, * __restrict tx = to.x;
  const double open_x = gaps.open_x * factor, extend_x = gaps.extend_x * factor;
  tm[0] = first;
  for (std::size_t j = 0; j + 1 < width; ++j)
    tm[j + 1] = s[j] * (((fm[j] + fx[j]) + fz[j]) * factor + start) + kFloor;
  for (std::size_t j = 0; j < width; ++j)
    tx[j] = (fm[j] * (open[j] * open_x) + fx[j] * (extend[j] * extend_x)) + kFloor;
  scan_tile(to, gaps, columns, width, carry);
  return largest_of(to, width);
}

HINGE_CLONES double backward(Cells behind, Cells to, const double* match, RowGaps gaps, ColumnGaps columns,
                             std::size_t width, double factor, double stop, double last, double carry,
                             double* diagonal, double* after) {
  const double* __restrict bm = behind.m, * __restrict bx = behind.x, * __restrict s = match;
  const double* __restrict open_x = columns.open_x, * __restrict extend_x = columns.extend_x;
  const double* __restrict open_z = columns.open_z, * __restrict extend_z = columns.extend_z;
  double* __restrict d = diagonal, * __restrict a = after;
  double* __restrict tm = to.m, * __restrict tx = to.x, * __restrict tz = to.z;
  const double opening = gaps.open_x * factor, extending = gaps.extend_x * factor;
  double factors[kTile];
  for (std::size_t j = 0; j + 1 < width; ++j) d[j] = s[j] * (bm[j + 1] * factor);
  d[width - 1] = last;
  for (std::size_t j = 0; j < width; ++j) factors[j] = extend_z[j] * gaps.extend_z;
  for (std::size_t j = width; j-- > 0;) {
    a[j] = carry;
    carry = (d[j] + kFloor) + carry * factors[j];
    tz[j] = carry;
  }
  for (std::size_t j = 0; j < width; ++j) {
    const double common = d[j] + a[j] * (open_z[j] * gaps.open_z) + kFloor;
    tm[j] = (common + stop) + bx[j] * (open_x[j] * opening);
    tx[j] = common + bx[j] * (extend_x[j] * extending);
  }
  return largest_of(to, width);
}

HINGE_CLONES void amounts(Cells cells, const double* behind_x, const double* diagonal, const double* after,
                          RowGaps gaps, ColumnGaps columns, std::size_t width, double factor, double start,
                          double share, Amounts out) {
  const double* __restrict m = cells.m, * __restrict x = cells.x, * __restrict z = cells.z;
  const double* __restrict bx = behind_x, * __restrict d = diagonal, * __restrict a = after;
  const double* __restrict open_x = columns.open_x, * __restrict extend_x = columns.extend_x;
  const double* __restrict open_z = columns.open_z, * __restrict extend_z = columns.extend_z;
  double* __restrict match = out.match, * __restrict ox = out.open_x, * __restrict ex = out.extend_x;
  double* __restrict oz = out.open_z, * __restrict ez = out.extend_z;
  const double opening = gaps.open_x * factor, extending = gaps.extend_x * factor;
  for (std::size_t j = 0; j < width; ++j) match[j] = (((m[j] + x[j]) + z[j]) * share + start) * d[j];
  for (std::size_t j = 0; j < width; ++j) {
    const double follows = bx[j] * share;
    ox[j] = m[j] * (open_x[j] * opening) * follows;
    ex[j] = x[j] * (extend_x[j] * extending) * follows;
  }
  for (std::size_t j = 0; j < width; ++j) {
    const double follows = a[j] * share;
    oz[j] = (m[j] + x[j]) * (open_z[j] * gaps.open_z) * follows;
    ez[j] = z[j] * (extend_z[j] * gaps.extend_z) * follows;
  }
}

#undef HINGE_INLINE

}  // namespace hinge::pair_tiles
