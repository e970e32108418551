#include "hinge/inference/pair_rows.h"

#include <cmath>
#include <limits>

#include "hinge/core/clones.h"

namespace hinge::pair_rows {
namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();

#define HINGE_INLINE [[gnu::always_inline]] static inline

struct Max {
  static constexpr double zero = kNothing, one = 0;
  HINGE_INLINE double plus(double a, double b) { return a > b ? a : b; }
  HINGE_INLINE double times(double a, double b) { return a + b; }
};

struct Log {
  static constexpr double zero = kNothing, one = 0;
  HINGE_INLINE double plus(double a, double b) {
    const double high = a > b ? a : b, low = a > b ? b : a;
    return low == kNothing ? high : high + std::log1p(std::exp(low - high));
  }
  HINGE_INLINE double times(double a, double b) { return a + b; }
  HINGE_INLINE double amount(double v, double share) { return std::exp(v + share); }
};

template <class Way>
HINGE_INLINE void scan_row(Cells to, RowGaps gaps, ColumnGaps columns, std::size_t n) {
  double z = Way::zero;
  to.z[0] = z;
  for (std::size_t j = 0; j < n; ++j) {
    const double opened = Way::times(Way::plus(to.m[j], to.x[j]), Way::times(columns.open_z[j], gaps.open_z));
    z = Way::plus(opened, Way::times(z, Way::times(columns.extend_z[j], gaps.extend_z)));
    to.z[j + 1] = z;
  }
}

template <class Way>
HINGE_INLINE void forward_row(Cells from, Cells to, const double* match, RowGaps gaps, ColumnGaps columns,
                              std::size_t n, double start) {
  const double* __restrict fm = from.m, * __restrict fx = from.x, * __restrict fz = from.z;
  const double* __restrict s = match, * __restrict open = columns.open_x, * __restrict extend = columns.extend_x;
  double* __restrict tm = to.m, * __restrict tx = to.x;
  tm[0] = Way::zero;
  for (std::size_t j = 0; j < n; ++j)
    tm[j + 1] = Way::times(s[j], Way::plus(Way::plus(fm[j], fx[j]), Way::plus(fz[j], start)));
  for (std::size_t j = 0; j <= n; ++j)
    tx[j] = Way::plus(Way::times(fm[j], Way::times(open[j], gaps.open_x)),
                      Way::times(fx[j], Way::times(extend[j], gaps.extend_x)));
  scan_row<Way>(to, gaps, columns, n);
}

template <class Way>
HINGE_INLINE void backward_row(Cells behind, Cells to, const double* match, RowGaps gaps, ColumnGaps columns,
                               std::size_t n, double stop, double corner, double* diagonal) {
  const double* __restrict bm = behind.m, * __restrict bx = behind.x, * __restrict s = match;
  const double* __restrict open_x = columns.open_x, * __restrict extend_x = columns.extend_x;
  const double* __restrict open_z = columns.open_z;
  double* __restrict d = diagonal, * __restrict tm = to.m, * __restrict tx = to.x, * __restrict tz = to.z;
  for (std::size_t j = 0; j < n; ++j) d[j] = Way::times(s[j], bm[j + 1]);
  double z = corner;
  tz[n] = z;
  for (std::size_t j = n; j-- > 0;) {
    z = Way::plus(d[j], Way::times(z, Way::times(columns.extend_z[j], gaps.extend_z)));
    tz[j] = z;
  }
  for (std::size_t j = 0; j < n; ++j) {
    const double common = Way::plus(d[j], Way::times(tz[j + 1], Way::times(open_z[j], gaps.open_z)));
    tm[j] = Way::plus(Way::plus(common, stop), Way::times(bx[j], Way::times(open_x[j], gaps.open_x)));
    tx[j] = Way::plus(common, Way::times(bx[j], Way::times(extend_x[j], gaps.extend_x)));
  }
  tm[n] = Way::plus(Way::plus(corner, stop), Way::times(bx[n], Way::times(open_x[n], gaps.open_x)));
  tx[n] = Way::plus(corner, Way::times(bx[n], Way::times(extend_x[n], gaps.extend_x)));
}

template <class Way>
HINGE_INLINE void amounts_row(Cells cells, Cells behind, const double* after, const double* diagonal,
                              RowGaps gaps, ColumnGaps columns, std::size_t n, double start, double share,
                              Amounts out) {
  const double* __restrict m = cells.m, * __restrict x = cells.x, * __restrict z = cells.z;
  const double* __restrict bx = behind.x, * __restrict d = diagonal, * __restrict az = after;
  const double* __restrict open_x = columns.open_x, * __restrict extend_x = columns.extend_x;
  const double* __restrict open_z = columns.open_z, * __restrict extend_z = columns.extend_z;
  double* __restrict match = out.match, * __restrict ox = out.open_x, * __restrict ex = out.extend_x;
  double* __restrict oz = out.open_z, * __restrict ez = out.extend_z;
  for (std::size_t j = 0; j < n; ++j) {
    const double any = Way::plus(Way::plus(m[j], x[j]), Way::plus(z[j], start));
    match[j] = Way::amount(Way::times(any, d[j]), share);
  }
  for (std::size_t j = 0; j <= n; ++j) {
    ox[j] = Way::amount(Way::times(Way::times(m[j], Way::times(open_x[j], gaps.open_x)), bx[j]), share);
    ex[j] = Way::amount(Way::times(Way::times(x[j], Way::times(extend_x[j], gaps.extend_x)), bx[j]), share);
  }
  for (std::size_t j = 0; j < n; ++j) {
    const double opening = Way::times(Way::plus(m[j], x[j]), Way::times(open_z[j], gaps.open_z));
    const double extending = Way::times(z[j], Way::times(extend_z[j], gaps.extend_z));
    oz[j] = Way::amount(Way::times(opening, az[j + 1]), share);
    ez[j] = Way::amount(Way::times(extending, az[j + 1]), share);
  }
}

#undef HINGE_INLINE

// Functions of their own, so that each is compiled for both processors.
#define HINGE_FORWARD_LOOPS(way)                                                            \
  HINGE_CLONES void forward_##way(Cells from, Cells to, const double* match, RowGaps gaps,  \
                                  ColumnGaps columns, std::size_t n, double start) {        \
    forward_row<way>(from, to, match, gaps, columns, n, start);                             \
  }                                                                                         \
  HINGE_CLONES void scan_##way(Cells to, RowGaps gaps, ColumnGaps columns, std::size_t n) { \
    scan_row<way>(to, gaps, columns, n);                                                    \
  }
#define HINGE_BACKWARD_LOOPS(way)                                                                         \
  HINGE_CLONES void backward_##way(Cells behind, Cells to, const double* match, RowGaps gaps,             \
                                   ColumnGaps columns, std::size_t n, double stop, double corner,         \
                                   double* diagonal) {                                                    \
    backward_row<way>(behind, to, match, gaps, columns, n, stop, corner, diagonal);                       \
  }                                                                                                       \
  HINGE_CLONES void amounts_##way(Cells cells, Cells behind, const double* after, const double* diagonal, \
                                  RowGaps gaps, ColumnGaps columns, std::size_t n, double start,          \
                                  double share, Amounts out) {                                            \
    amounts_row<way>(cells, behind, after, diagonal, gaps, columns, n, start, share, out);                \
  }

HINGE_FORWARD_LOOPS(Max)
HINGE_FORWARD_LOOPS(Log)
HINGE_BACKWARD_LOOPS(Log)
#undef HINGE_FORWARD_LOOPS
#undef HINGE_BACKWARD_LOOPS

}  // namespace

const Loops kMaximum = {forward_Max, scan_Max, nullptr, nullptr, Max::zero, Max::one};
const Loops kLogarithm = {forward_Log, scan_Log, backward_Log, amounts_Log, Log::zero, Log::one};

HINGE_CLONES double largest(const double* in, std::size_t count) {
  constexpr std::size_t kWide = 16;
  double best[kWide];
  for (double& b : best) b = kNothing;
  std::size_t k = 0;
  for (; k + kWide <= count; k += kWide)
    for (std::size_t l = 0; l < kWide; ++l) best[l] = in[k + l] > best[l] ? in[k + l] : best[l];
  for (; k < count; ++k) best[0] = in[k] > best[0] ? in[k] : best[0];
  for (std::size_t l = 1; l < kWide; ++l) best[0] = best[l] > best[0] ? best[l] : best[0];
  return best[0];
}

HINGE_CLONES void multiply(double* row, std::size_t count, double factor) {
  for (std::size_t k = 0; k < count; ++k) row[k] *= factor;
}

HINGE_CLONES double add_to(double* __restrict sums, const double* __restrict row, std::size_t count) {
  constexpr std::size_t kWide = 8;
  double part[kWide] = {};
  std::size_t k = 0;
  for (; k + kWide <= count; k += kWide)
    for (std::size_t l = 0; l < kWide; ++l) {
      part[l] += row[k + l];
      sums[k + l] += row[k + l];
    }
  for (; k < count; ++k) {
    part[0] += row[k];
    sums[k] += row[k];
  }
  double sum = 0;
  for (const double p : part) sum += p;
  return sum;
}

HINGE_CLONES void add_rows(double* __restrict sums, const double* __restrict row, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) sums[k] += row[k];
}

}  // namespace hinge::pair_rows
