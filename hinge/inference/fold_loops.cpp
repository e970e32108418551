#include "hinge/inference/fold_loops.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hinge/core/clones.h"

namespace hinge::fold_loops {
namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();
constexpr std::size_t kWide = 8;  // numbers that are computed together

#define HINGE_INLINE [[gnu::always_inline]] static inline

struct Max {
  static constexpr double zero = kNothing, one = 0;
  HINGE_INLINE double dot(const double* __restrict a, const double* __restrict b, std::size_t count) {
    double best[kWide];
    for (double& v : best) v = kNothing;
    std::size_t k = 0;
    for (; k + kWide <= count; k += kWide)
      for (std::size_t l = 0; l < kWide; ++l) {
        const double v = a[k + l] + b[k + l];
        best[l] = v > best[l] ? v : best[l];
      }
    double top = kNothing;
    for (; k < count; ++k) top = std::max(top, a[k] + b[k]);
    for (const double v : best) top = std::max(top, v);
    return top;
  }
  HINGE_INLINE double plus(double a, double b) { return a > b ? a : b; }
};

struct Sum {
  static constexpr double zero = 0, one = 1;
  HINGE_INLINE double dot(const double* __restrict a, const double* __restrict b, std::size_t count) {
    double part[kWide] = {};
    std::size_t k = 0;
    for (; k + kWide <= count; k += kWide)
      for (std::size_t l = 0; l < kWide; ++l) part[l] += a[k + l] * b[k + l];
    double sum = 0;
    for (; k < count; ++k) sum += a[k] * b[k];
    return sum + (((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7])));
  }
  HINGE_INLINE double plus(double a, double b) { return a + b; }
};

struct Log {
  static constexpr double zero = kNothing, one = 0;
  HINGE_INLINE double dot(const double* a, const double* b, std::size_t count) {
    double top = kNothing, sum = 0;
    for (std::size_t k = 0; k < count; ++k) top = std::max(top, a[k] + b[k]);
    if (top == kNothing) return top;
    for (std::size_t k = 0; k < count; ++k) sum += std::exp(a[k] + b[k] - top);
    return top + std::log(sum);
  }
  HINGE_INLINE double plus(double a, double b) {
    const double high = std::max(a, b), low = std::min(a, b);
    return low == kNothing ? high : high + std::log1p(std::exp(low - high));
  }
};

// How many b there are behind a letters, below `room`; 0 where none.
HINGE_INLINE std::size_t count_b(const Window& w, std::size_t a, std::size_t room) {
  return std::min({w.longest - a + 1, w.most_b + 1, room});
}

template <class Way>
HINGE_INLINE double sum_within(const double* cells, std::size_t n, const double* table, const Window& w) {
  double sum = Way::zero;
  for (std::size_t a = w.first_a; a <= w.most_a && w.i + a + 3 <= w.j; ++a) {
    const std::size_t k = w.i + 1 + a, count = count_b(w, a, w.j - 1 - k);  // l = j − 1 − b > k
    sum = Way::plus(sum, Way::dot(cells + k * n + w.j - count, table + a * kWidth + kWidth - count, count));
  }
  return sum;
}

template <class Way>
HINGE_INLINE double sum_around(const double* cells, std::size_t n, const double* table, const Window& w) {
  double sum = Way::zero;
  for (std::size_t a = w.first_a; a <= w.most_a && a < w.i; ++a) {
    const std::size_t p = w.i - 1 - a, count = count_b(w, a, n - 1 - w.j);
    sum = Way::plus(sum, Way::dot(cells + p * n + w.j + 1, table + a * kWidth, count));
  }
  return sum;
}

#define HINGE_FOLD_LOOPS(way)                                                               \
  HINGE_CLONES double dot_##way(const double* a, const double* b, std::size_t count) {      \
    return way::dot(a, b, count);                                                           \
  }                                                                                         \
  HINGE_CLONES double within_##way(const double* cells, std::size_t n, const double* table, \
                                   const Window& w) {                                       \
    return sum_within<way>(cells, n, table, w);                                             \
  }                                                                                         \
  HINGE_CLONES double around_##way(const double* cells, std::size_t n, const double* table, \
                                   const Window& w) {                                       \
    return sum_around<way>(cells, n, table, w);                                             \
  }
HINGE_FOLD_LOOPS(Max)
HINGE_FOLD_LOOPS(Sum)
HINGE_FOLD_LOOPS(Log)
#undef HINGE_FOLD_LOOPS

}  // namespace

const Loops kMaximum = {dot_Max, within_Max, around_Max, Max::zero, Max::one};
const Loops kSum = {dot_Sum, within_Sum, around_Sum, Sum::zero, Sum::one};
const Loops kLogarithm = {dot_Log, within_Log, around_Log, Log::zero, Log::one};

HINGE_CLONES void add_within(double* sums, const double* cells, std::size_t n, double factor,
                             const Window& w) {
  for (std::size_t a = w.first_a; a <= w.most_a && w.i + a + 3 <= w.j; ++a) {
    const std::size_t k = w.i + 1 + a, count = count_b(w, a, w.j - 1 - k);
    double* __restrict out = sums + a * kWidth + kWidth - count;
    const double* __restrict in = cells + k * n + w.j - count;
    for (std::size_t b = 0; b < count; ++b) out[b] += factor * in[b];
  }
}

void add_within_logarithms(double* sums, const double* cells, std::size_t n, const double* table,
                           double factor, const Window& w) {
  for (std::size_t a = w.first_a; a <= w.most_a && w.i + a + 3 <= w.j; ++a) {
    const std::size_t k = w.i + 1 + a, count = count_b(w, a, w.j - 1 - k);
    const std::size_t first = a * kWidth + kWidth - count;
    const double* in = cells + k * n + w.j - count;
    for (std::size_t b = 0; b < count; ++b) sums[first + b] += std::exp(factor + in[b] + table[first + b]);
  }
}

HINGE_CLONES double add_run(double* __restrict sums, const Run& run, double factor) {
  double added = 0;
  for (std::size_t k = 0; k < run.count; ++k) {
    const double used = factor * run.cells[k] * run.table[k];
    sums[k] += used;
    added += used;
  }
  return added;
}

double add_run_logarithms(double* sums, const Run& run, double factor) {
  double added = 0;
  for (std::size_t k = 0; k < run.count; ++k) {
    const double used = std::exp(factor + run.cells[k] + run.table[k]);
    sums[k] += used;
    added += used;
  }
  return added;
}

}  // namespace hinge::fold_loops
