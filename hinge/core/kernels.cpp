#include "hinge/core/kernels.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "hinge/core/clones.h"

// g++ 12 takes arrays of vectors in a cloned function for uninitialised.
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace hinge::kernels {
namespace {

// Four numbers that are computed together, at any address.
// (An alignment behind the = would be lost on clang.)
using Lane __attribute__((vector_size(kLane * sizeof(double)), aligned(alignof(double)), may_alias)) = double;

using Bits __attribute__((vector_size(kLane * sizeof(double)), aligned(alignof(double)), may_alias)) =
    std::uint64_t;

// x becomes exp(x) = 2^n exp(r), |r| ≤ ln 2 / 2, with a Taylor polynomial of degree 13 for exp(r).
[[gnu::always_inline]] inline void exponentiate(Lane& x) {
  constexpr double log2e = 1.4426950408889634, ln2_high = 6.93147180369123816490e-01,
                   ln2_low = 1.90821492927058770002e-10;
  constexpr double rounder = 6755399441055744.0;  // 1.5 · 2^52: adding it rounds to an integer
  constexpr double lowest = -708, highest = 709;
  constexpr double inverse_factorial[] = {
      1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
      1.0 / 720,        1.0 / 120,       1.0 / 24,       1.0 / 6,       0.5,          1.0,         1.0};
  const Lane zero = {};
  Lane clipped = x > lowest ? x : zero + lowest;
  clipped = clipped < highest ? clipped : zero + highest;
  const Lane shifted = clipped * log2e + rounder;
  const Lane n = shifted - rounder;
  const Lane r = (clipped - n * ln2_high) - n * ln2_low;
  Lane p = zero;
#pragma GCC unroll 14
  for (const double coefficient : inverse_factorial) p = p * r + coefficient;
  const Bits scale = (reinterpret_cast<const Bits&>(shifted) + 1023u) << 52;
  x = x > lowest ? p * reinterpret_cast<const Lane&>(scale) : zero;
}

// x becomes log(x), for positive normal x: with x = 2^n m, √½ ≤ m < √2 and s = (m − 1) / (m + 1),
// log m = 2 (s + s³/3 + s⁵/5 + …), where s² < 0.03.
[[gnu::always_inline]] inline void take_logarithm(Lane& x) {
  constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
  constexpr double odd_inverse[] = {1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11,
                                    1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3,  1.0};
  constexpr std::uint64_t half = 0x3fe6a09e667f3bcdu;  // √½
  const Lane zero = {};
  const Bits bits = reinterpret_cast<const Bits&>(x) - half;
  const Bits exponent = ((bits >> 52) ^ 0x800u) & 0xfffu;  // n + 2^11, modulo 2^12
  const Bits digits = (bits & 0x000fffffffffffffu) + half;
  const Bits shifted = exponent | 0x4330000000000000u;  // 2^52 + that
  const Lane n = reinterpret_cast<const Lane&>(shifted) - (0x1p52 + 2048);
  const Lane m = reinterpret_cast<const Lane&>(digits);
  const Lane s = (m - 1) / (m + 1), square = s * s;
  Lane p = zero;
#pragma GCC unroll 11
  for (const double coefficient : odd_inverse) p = p * square + coefficient;
  x = n * ln2_high + (2 * s * p + n * ln2_low);
}

// Lanes · kLane columns stay in registers while the rows pass by.
template <std::size_t Lanes, class Combine>
[[gnu::always_inline]] inline void column_block(double* out, const double* in, const double* matrix,
                                                std::size_t labels, std::size_t stride, double start,
                                                Combine combine) {
  Lane kept[Lanes];
  for (std::size_t b = 0; b < Lanes; ++b) kept[b] = Lane{start, start, start, start};
  for (std::size_t a = 0; a < labels; ++a) {
    const Lane from = {in[a], in[a], in[a], in[a]};
    const Lane* row = reinterpret_cast<const Lane*>(matrix + a * stride);
    for (std::size_t b = 0; b < Lanes; ++b) combine(kept[b], from, row[b]);
  }
  for (std::size_t b = 0; b < Lanes; ++b) reinterpret_cast<Lane*>(out)[b] = kept[b];
}

template <class Combine>
[[gnu::always_inline]] inline void by_columns(double* out, const double* in, const double* matrix,
                                              std::size_t labels, std::size_t stride, double start,
                                              Combine combine) {
  std::size_t b = 0;
  for (; b + 16 <= stride; b += 16) column_block<4>(out + b, in, matrix + b, labels, stride, start, combine);
  for (; b + 8 <= stride; b += 8) column_block<2>(out + b, in, matrix + b, labels, stride, start, combine);
  for (; b < stride; b += 4) column_block<1>(out + b, in, matrix + b, labels, stride, start, combine);
}

// out += Σ_t left[t] · right[t][0 … Lanes · kLane)
template <std::size_t Lanes>
[[gnu::always_inline]] inline void product_block(double* out, const double* left, const double* right,
                                                 std::size_t rows, std::size_t stride) {
  Lane kept[Lanes];
  for (std::size_t b = 0; b < Lanes; ++b) kept[b] = reinterpret_cast<const Lane*>(out)[b];
  for (std::size_t t = 0; t < rows; ++t) {
    const double l = left[t * stride];
    const Lane factor = {l, l, l, l};
    const Lane* row = reinterpret_cast<const Lane*>(right + t * stride);
    for (std::size_t b = 0; b < Lanes; ++b) kept[b] += factor * row[b];
  }
  for (std::size_t b = 0; b < Lanes; ++b) reinterpret_cast<Lane*>(out)[b] = kept[b];
}

// out = max over c of left[c · column] + right[c][0 … Lanes · kLane)
template <std::size_t Lanes>
[[gnu::always_inline]] inline void max_product_block(double* out, const double* left, std::size_t column,
                                                     const double* right, std::size_t inner,
                                                     std::size_t stride) {
  constexpr double least = -std::numeric_limits<double>::infinity();
  Lane kept[Lanes];
  for (std::size_t b = 0; b < Lanes; ++b) kept[b] = Lane{least, least, least, least};
  for (std::size_t c = 0; c < inner; ++c) {
    const double l = left[c * column];
    const Lane from = {l, l, l, l};
    const Lane* row = reinterpret_cast<const Lane*>(right + c * stride);
    for (std::size_t b = 0; b < Lanes; ++b) {
      const Lane candidate = from + row[b];
      kept[b] = candidate > kept[b] ? candidate : kept[b];
    }
  }
  for (std::size_t b = 0; b < Lanes; ++b) reinterpret_cast<Lane*>(out)[b] = kept[b];
}

template <std::size_t Lanes, class Combine>
[[gnu::always_inline]] inline void merge_block(double* out, const double* matrix, const double* open,
                                               std::size_t rows, std::size_t stride, Combine combine) {
  Lane kept[Lanes];
  for (std::size_t b = 0; b < Lanes; ++b) kept[b] = reinterpret_cast<const Lane*>(out)[b];
  for (std::size_t a = 0; a < rows; ++a) {
    const Lane* row = reinterpret_cast<const Lane*>(matrix + a * stride);
    const Lane* mask = reinterpret_cast<const Lane*>(open + a * stride);
    for (std::size_t b = 0; b < Lanes; ++b) combine(kept[b], row[b], mask[b]);
  }
  for (std::size_t b = 0; b < Lanes; ++b) reinterpret_cast<Lane*>(out)[b] = kept[b];
}

template <class Combine>
[[gnu::always_inline]] inline void merge(double* out, const double* matrix, const double* open,
                                         std::size_t rows, std::size_t stride, Combine combine) {
  std::size_t b = 0;
  for (; b + 16 <= stride; b += 16) merge_block<4>(out + b, matrix + b, open + b, rows, stride, combine);
  for (; b < stride; b += 4) merge_block<1>(out + b, matrix + b, open + b, rows, stride, combine);
}

// out[0 … Lanes · kLane) += Σ_a value[a] · w[row[a] · labels + 0 …), which stays in registers meanwhile
template <std::size_t Lanes>
[[gnu::always_inline]] inline void row_block(double* out, std::size_t labels, const Index* row,
                                             const float* value, std::size_t rows, const double* w) {
  Lane kept[Lanes];
  for (std::size_t b = 0; b < Lanes; ++b) kept[b] = reinterpret_cast<const Lane*>(out)[b];
  for (std::size_t a = 0; a < rows; ++a) {
    const Lane* from = reinterpret_cast<const Lane*>(w + static_cast<std::size_t>(row[a]) * labels);
    if (value == nullptr) {
      for (std::size_t b = 0; b < Lanes; ++b) kept[b] += from[b];
    } else {
      const double v = value[a];
      for (std::size_t b = 0; b < Lanes; ++b) kept[b] += v * from[b];
    }
  }
  for (std::size_t b = 0; b < Lanes; ++b) reinterpret_cast<Lane*>(out)[b] = kept[b];
}

// Four sums at once, since one would wait for each addition before the next.
template <class Value>
[[gnu::always_inline]] inline double gathered_dot(const Index* index, const Value* value, std::size_t count,
                                                  const double* w) {
  double sum[kLane] = {};
  std::size_t k = 0;
  for (; k + kLane <= count; k += kLane)
    for (std::size_t lane = 0; lane < kLane; ++lane) sum[lane] += value[k + lane] * w[index[k + lane]];
  for (; k < count; ++k) sum[0] += value[k] * w[index[k]];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace

HINGE_CLONES void add_rows(double* out, std::size_t labels, const Index* row, const float* value,
                           std::size_t rows, const double* w) {
  if (rows == 0) return;  // there may be no w then
  std::size_t k = 0;
  for (; k + 20 <= labels; k += 20) row_block<5>(out + k, labels, row, value, rows, w + k);
  for (; k + 8 <= labels; k += 8) row_block<2>(out + k, labels, row, value, rows, w + k);
  for (; k + 4 <= labels; k += 4) row_block<1>(out + k, labels, row, value, rows, w + k);
  for (; k < labels; ++k) {
    double sum = out[k];
    for (std::size_t a = 0; a < rows; ++a)
      sum += (value == nullptr ? 1 : value[a]) * w[static_cast<std::size_t>(row[a]) * labels + k];
    out[k] = sum;
  }
}

HINGE_CLONES void add_to_rows(double* __restrict w, std::size_t labels, const Index* row, const float* value,
                              std::size_t rows, const double* __restrict in, double factor) {
  for (std::size_t a = 0; a < rows; ++a) {
    double* __restrict out = w + static_cast<std::size_t>(row[a]) * labels;
    const double f = value == nullptr ? factor : factor * value[a];
    for (std::size_t k = 0; k < labels; ++k) out[k] += f * in[k];
  }
}

HINGE_CLONES double move_rows(double* w, const double* share, std::size_t labels, const Index* row,
                              const float* value, std::size_t rows, const double* in, double factor) {
  constexpr std::uint64_t kNegativeZero = std::uint64_t{1} << 63;
  const std::size_t whole = labels - labels % kLane;
  Lane sum = {};
  double rest = 0;
  for (std::size_t a = 0; a < rows; ++a) {
    const std::size_t first = static_cast<std::size_t>(row[a]) * labels;
    double* out = w + first;
    const double f = value == nullptr ? factor : factor * value[a];
    for (std::size_t k = 0; k < whole; k += kLane) {
      Lane& place = *reinterpret_cast<Lane*>(out + k);
      const Lane v = *reinterpret_cast<const Lane*>(in + k) * f, before = place;
      if (share == nullptr) {
        const Lane after = before + v;
        place = reinterpret_cast<const Bits&>(before) == kNegativeZero ? before : after;
      } else {
        place += v * *reinterpret_cast<const Lane*>(share + first + k);
      }
      sum += v * (before + place);
    }
    for (std::size_t k = whole; k < labels; ++k) {
      const double v = in[k] * f, before = out[k];
      const bool fixed = before == 0 && std::signbit(before);
      out[k] += share != nullptr ? v * share[first + k] : fixed ? before : v;
      rest += v * (before + out[k]);
    }
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]) + rest;
}

HINGE_CLONES void add_rows(double* __restrict out, const double* __restrict matrix, std::size_t rows,
                           std::size_t stride) {
  for (std::size_t b = 0; b < stride; b += kLane) {
    Lane sum = *reinterpret_cast<const Lane*>(out + b);
    for (std::size_t a = 0; a < rows; ++a) sum += *reinterpret_cast<const Lane*>(matrix + a * stride + b);
    *reinterpret_cast<Lane*>(out + b) = sum;
  }
}

HINGE_CLONES void max_plus(double* out, const double* in, const double* matrix, std::size_t labels,
                           std::size_t stride) {
  by_columns(
      out, in, matrix, labels, stride, -std::numeric_limits<double>::infinity(),
      [](Lane & best, const Lane& from, const Lane& weight) __attribute__((always_inline)) {
        const Lane candidate = from + weight;
        best = candidate > best ? candidate : best;
      });
}

HINGE_CLONES void max_product(double* out, const double* left, std::size_t row, std::size_t column,
                              const double* right, std::size_t rows, std::size_t inner, std::size_t stride) {
  for (std::size_t a = 0; a < rows; ++a, out += stride, left += row) {
    std::size_t b = 0;
    for (; b + 16 <= stride; b += 16) max_product_block<4>(out + b, left, column, right + b, inner, stride);
    for (; b + 8 <= stride; b += 8) max_product_block<2>(out + b, left, column, right + b, inner, stride);
    for (; b < stride; b += 4) max_product_block<1>(out + b, left, column, right + b, inner, stride);
  }
}

HINGE_CLONES void max_times(double* out, const double* in, const double* matrix, std::size_t labels,
                            std::size_t stride) {
  by_columns(
      out, in, matrix, labels, stride, 0.0,
      [](Lane & best, const Lane& from, const Lane& weight) __attribute__((always_inline)) {
        const Lane candidate = from * weight;
        best = candidate > best ? candidate : best;
      });
}

HINGE_CLONES void multiply(double* out, const double* in, const double* matrix, std::size_t labels,
                           std::size_t stride) {
  by_columns(
      out, in, matrix, labels, stride, 0.0,
      [](Lane & sum, const Lane& from, const Lane& weight)
          __attribute__((always_inline)) { sum += from * weight; });
}

HINGE_CLONES void merge_max(double* out, const double* matrix, const double* open, std::size_t rows,
                            std::size_t stride) {
  merge(
      out, matrix, open, rows, stride,
      [](Lane & best, const Lane& value, const Lane& mask) __attribute__((always_inline)) {
        const Lane candidate = mask > 0 ? value : best;
        best = candidate > best ? candidate : best;
      });
}

HINGE_CLONES void merge_sum(double* out, const double* matrix, const double* open, std::size_t rows,
                            std::size_t stride) {
  merge(
      out, matrix, open, rows, stride,
      [](Lane & sum, const Lane& value, const Lane& mask)
          __attribute__((always_inline)) { sum += value * mask; });
}

HINGE_CLONES void multiply_back(double* out, double* sums, const double* matrix, const double* left,
                                const double* in, std::size_t rows, std::size_t stride) {
  const Lane* from = reinterpret_cast<const Lane*>(in);
  for (std::size_t a = 0; a < rows; ++a) {
    const Lane* row = reinterpret_cast<const Lane*>(matrix + a * stride);
    Lane* into = reinterpret_cast<Lane*>(sums + a * stride);
    const Lane factor = {left[a], left[a], left[a], left[a]};
    Lane kept = {};
    for (std::size_t b = 0; b < stride / kLane; ++b) {
      const Lane value = from[b];
      kept += row[b] * value;
      into[b] += factor * value;
    }
    out[a] = (kept[0] + kept[1]) + (kept[2] + kept[3]);
  }
}

HINGE_CLONES void add_product(double* matrix, const double* left, const double* right, std::size_t rows,
                              std::size_t labels, std::size_t stride) {
  for (std::size_t a = 0; a < labels; ++a) {
    double* out = matrix + a * stride;
    std::size_t b = 0;
    for (; b + 16 <= stride; b += 16) product_block<4>(out + b, left + a, right + b, rows, stride);
    for (; b + 8 <= stride; b += 8) product_block<2>(out + b, left + a, right + b, rows, stride);
    for (; b < stride; b += 4) product_block<1>(out + b, left + a, right + b, rows, stride);
  }
}

HINGE_CLONES void exponential(double* out, const double* in, std::size_t count, double shift, double factor) {
  for (std::size_t k = 0; k < count; k += kLane) {
    Lane x = factor * (*reinterpret_cast<const Lane*>(in + k) - shift);
    exponentiate(x);
    *reinterpret_cast<Lane*>(out + k) = x;
  }
}

HINGE_CLONES double sparse_dot(const Index* index, const double* value, std::size_t count, const double* w) {
  return gathered_dot(index, value, count, w);
}

HINGE_CLONES double sparse_dot(const Index* index, const float* value, std::size_t count, const double* w) {
  return gathered_dot(index, value, count, w);
}

HINGE_CLONES void column_maxima(double* __restrict out, const double* __restrict table, std::size_t rows,
                                std::size_t columns) {
  for (std::size_t r = 0; r < columns; ++r) out[r] = table[r];
  for (std::size_t v = 1; v < rows; ++v) {
    const double* row = table + v * columns;
    for (std::size_t r = 0; r < columns; ++r) out[r] = row[r] > out[r] ? row[r] : out[r];
  }
}

HINGE_CLONES void soften_columns(double* __restrict out, double* __restrict table, std::size_t rows,
                                 std::size_t columns, double temperature) {
  constexpr double none = -std::numeric_limits<double>::infinity();
  column_maxima(out, table, rows, columns);
  if (temperature == 0) {
    for (std::size_t r = 0; r < columns; ++r) {
      bool found = out[r] == none;
      for (std::size_t v = 0; v < rows; ++v) {
        const bool wins = !found && table[v * columns + r] == out[r];
        table[v * columns + r] = wins;
        found |= wins;
      }
    }
    return;
  }
  for (std::size_t v = 0; v < rows; ++v) {
    double* row = table + v * columns;
    for (std::size_t r = 0; r < columns; ++r) row[r] = out[r] == none ? none : row[r] - out[r];
  }
  exponential(table, table, padded(rows * columns), 0, 1 / temperature);
  // The sums of columns, a block of them at a time; where all are −∞ the sum is 0.
  constexpr std::size_t block = 16 * kLane;
  double sum[block], logarithms[block];
  for (std::size_t first = 0; first < columns; first += block) {
    const std::size_t count = columns - first < block ? columns - first : block;
    for (std::size_t r = 0; r < block; ++r) sum[r] = 0;
    for (std::size_t v = 0; v < rows; ++v)
      for (std::size_t r = 0; r < count; ++r) sum[r] += table[v * columns + first + r];
    for (std::size_t r = 0; r < block; ++r) sum[r] = sum[r] > 0 ? sum[r] : 1;
    logarithm(logarithms, sum, padded(count));
    for (std::size_t r = 0; r < count; ++r) out[first + r] += temperature * logarithms[r];
    for (std::size_t r = 0; r < count; ++r) sum[r] = 1 / sum[r];
    for (std::size_t v = 0; v < rows; ++v)
      for (std::size_t r = 0; r < count; ++r) table[v * columns + first + r] *= sum[r];
  }
}

HINGE_CLONES void scale_columns(double* __restrict table, const double* __restrict factor,
                                double* __restrict sums, std::size_t rows, std::size_t columns) {
  for (std::size_t v = 0; v < rows; ++v) {
    double* row = table + v * columns;
    for (std::size_t r = 0; r < columns; ++r) row[r] *= factor[r];
    double sum = 0;
    for (std::size_t r = 0; r < columns; ++r) sum += row[r];
    sums[v] = sum;
  }
}

HINGE_CLONES double pass_maxima(double* out, const Passing& p) {
  for (std::size_t a = 0; a < p.rows; ++a) p.scratch[a] = p.share * p.belief[a] - p.in[a];
  by_columns(
      out, p.scratch, p.matrix, p.rows, p.stride, -std::numeric_limits<double>::infinity(),
      [](Lane & best, const Lane& from, const Lane& weight) __attribute__((always_inline)) {
        const Lane candidate = from + weight;
        best = candidate > best ? candidate : best;
      });
  double top = out[0];
  for (std::size_t b = 1; b < p.columns; ++b) top = out[b] > top ? out[b] : top;
  for (std::size_t b = 0; b < p.stride; ++b) out[b] -= top;
  return top;
}

HINGE_CLONES double pass_sums(double* out, const Passing& p, double temperature, double keep) {
  double* cavity = p.scratch;
  double* sums = p.scratch + padded(p.rows);
  const double inverse = 1 / temperature;
  double top = -std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < p.rows; ++a) {
    cavity[a] = p.share * p.belief[a] - p.in[a];
    top = cavity[a] > top ? cavity[a] : top;
  }
  for (std::size_t a = p.rows; a < padded(p.rows); ++a) cavity[a] = top;
  for (std::size_t a = 0; a < p.rows; a += kLane) {
    Lane x = inverse * (*reinterpret_cast<const Lane*>(cavity + a) - top);
    exponentiate(x);
    *reinterpret_cast<Lane*>(cavity + a) = x;
  }
  by_columns(
      sums, cavity, p.matrix, p.rows, p.stride, 0.0,
      [](Lane & sum, const Lane& from, const Lane& weight)
          __attribute__((always_inline)) { sum += from * weight; });
  for (std::size_t b = 0; b < p.stride; b += kLane) {
    Lane x = *reinterpret_cast<const Lane*>(sums + b);
    take_logarithm(x);
    *reinterpret_cast<Lane*>(sums + b) = temperature * x;
  }
  top = sums[0];
  for (std::size_t b = 1; b < p.columns; ++b) top = sums[b] > top ? sums[b] : top;
  double change = 0;
  for (std::size_t b = 0; b < p.stride; ++b) {
    const double next = keep * out[b] + (1 - keep) * (sums[b] - top);
    const double difference = next > out[b] ? next - out[b] : out[b] - next;
    if (b < p.columns) change = difference > change ? difference : change;
    out[b] = next;
  }
  return change;
}

HINGE_CLONES void multiply_rows(double* __restrict out, const double* __restrict matrix, std::size_t rows,
                                std::size_t stride) {
  for (std::size_t b = 0; b < stride; b += kLane) {
    Lane product = *reinterpret_cast<const Lane*>(out + b);
    for (std::size_t a = 0; a < rows; ++a) product *= *reinterpret_cast<const Lane*>(matrix + a * stride + b);
    *reinterpret_cast<Lane*>(out + b) = product;
  }
}

HINGE_CLONES double pass_products(double* out, const Passing& p, double keep) {
  double* cavity = p.scratch;
  double* sums = p.scratch + padded(p.rows);
  for (std::size_t a = 0; a < p.rows; a += kLane)
    *reinterpret_cast<Lane*>(cavity + a) =
        *reinterpret_cast<const Lane*>(p.belief + a) / *reinterpret_cast<const Lane*>(p.in + a);
  by_columns(
      sums, cavity, p.matrix, p.rows, p.stride, 0.0,
      [](Lane & sum, const Lane& from, const Lane& weight)
          __attribute__((always_inline)) { sum += from * weight; });
  double top = sums[0];
  for (std::size_t b = 1; b < p.columns; ++b) top = sums[b] > top ? sums[b] : top;
  const double factor = (1 - keep) / top;
  Lane largest = {};
  for (std::size_t b = 0; b < p.stride; b += kLane) {
    const Lane before = *reinterpret_cast<const Lane*>(out + b);
    const Lane next = keep * before + factor * *reinterpret_cast<const Lane*>(sums + b);
    const Lane rise = next / before - 1, fall = before / next - 1;
    largest = rise > largest ? rise : largest;
    largest = fall > largest ? fall : largest;
    *reinterpret_cast<Lane*>(out + b) = next;
  }
  const double left = largest[0] > largest[1] ? largest[0] : largest[1];
  const double right = largest[2] > largest[3] ? largest[2] : largest[3];
  return left > right ? left : right;
}

HINGE_CLONES void logarithm(double* out, const double* in, std::size_t count) {
  for (std::size_t k = 0; k < count; k += kLane) {
    Lane x = *reinterpret_cast<const Lane*>(in + k);
    take_logarithm(x);
    *reinterpret_cast<Lane*>(out + k) = x;
  }
}

HINGE_CLONES double maximum(const double* in, std::size_t count) {
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < count; ++k) best = in[k] > best ? in[k] : best;
  return best;
}

}  // namespace hinge::kernels
