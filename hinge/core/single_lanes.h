// Eight numbers in single precision that are computed together, at any address; for sources whose functions are
// compiled for several processors (clones.h), into which all of this is inlined.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hinge::single {

inline constexpr std::size_t kLane = 8;

// (An alignment behind the = would be lost on clang.)
using Lane __attribute__((vector_size(kLane * sizeof(float)), aligned(alignof(float)), may_alias)) = float;
using Bits __attribute__((vector_size(kLane * sizeof(float)), aligned(alignof(float)), may_alias)) =
    std::uint32_t;

[[gnu::always_inline]] inline Lane& at(float* place) { return *reinterpret_cast<Lane*>(place); }
[[gnu::always_inline]] inline const Lane& at(const float* place) {
  return *reinterpret_cast<const Lane*>(place);
}

using Half __attribute__((vector_size(kLane * sizeof(float) / 2))) = float;

// ((x[0] + x[4]) + (x[1] + x[5])) + ((x[2] + x[6]) + (x[3] + x[7]))
[[gnu::always_inline]] inline float sum(const Lane& x) {
  const Half both = __builtin_shufflevector(x, x, 0, 1, 2, 3) + __builtin_shufflevector(x, x, 4, 5, 6, 7);
  return (both[0] + both[1]) + (both[2] + both[3]);
}

// A row of eight numbers or more: the last lane repeats some of the one before.
[[gnu::always_inline]] inline void copy(const float* in, std::size_t size, float* out) {
  for (std::size_t k = 0; k + kLane < size; k += kLane) at(out + k) = at(in + k);
  at(out + size - kLane) = at(in + size - kLane);
}

// kept becomes the larger of both, number by number. (No lane is returned: its place would depend on the processor.)
[[gnu::always_inline]] inline void raise(Lane& kept, const Lane& x) { kept = x > kept ? x : kept; }
[[gnu::always_inline]] inline float largest(const Lane& x) {
  const Half low = __builtin_shufflevector(x, x, 0, 1, 2, 3),
             high = __builtin_shufflevector(x, x, 4, 5, 6, 7);
  const Half four = low > high ? low : high, turned = __builtin_shufflevector(four, four, 2, 3, 0, 1);
  const Half two = four > turned ? four : turned;
  return two[0] > two[1] ? two[0] : two[1];
}

// out[b · to + a] = in[a · from + b], of eight rows and columns
[[gnu::always_inline]] inline void transpose(const float* in, std::size_t from, float* out, std::size_t to) {
  Lane row[kLane], pair[kLane];
  for (std::size_t a = 0; a < kLane; ++a) row[a] = at(in + a * from);
  for (std::size_t a = 0; a < kLane; a += 2) {
    pair[a] = __builtin_shufflevector(row[a], row[a + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    pair[a + 1] = __builtin_shufflevector(row[a], row[a + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (std::size_t a = 0; a < kLane; a += 4) {
    row[a] = __builtin_shufflevector(pair[a], pair[a + 2], 0, 1, 8, 9, 4, 5, 12, 13);
    row[a + 1] = __builtin_shufflevector(pair[a], pair[a + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    row[a + 2] = __builtin_shufflevector(pair[a + 1], pair[a + 3], 0, 1, 8, 9, 4, 5, 12, 13);
    row[a + 3] = __builtin_shufflevector(pair[a + 1], pair[a + 3], 2, 3, 10, 11, 6, 7, 14, 15);
  }
  for (std::size_t a = 0; a < kLane / 2; ++a) {
    at(out + a * to) = __builtin_shufflevector(row[a], row[a + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    at(out + (a + 4) * to) = __builtin_shufflevector(row[a], row[a + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

// x becomes exp(x) = 2^n exp(r), |r| ≤ ln 2 / 2, with a Taylor polynomial of degree 7 for exp(r); 0 below the
// normal range. Relative error below 2e-7.
[[gnu::always_inline]] inline void exponentiate(Lane& x) {
  constexpr float log2e = 1.44269504f, ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;
  constexpr float rounder = 12582912.0f;  // 1.5 · 2^23: adding it rounds to an integer
  constexpr float lowest = -87, highest = 88;
  constexpr float inverse_factorial[] = {1.0f / 5040, 1.0f / 720, 1.0f / 120, 1.0f / 24,
                                         1.0f / 6,    0.5f,       1.0f,       1.0f};
  const Lane zero = {};
  Lane clipped = x > lowest ? x : zero + lowest;
  clipped = clipped < highest ? clipped : zero + highest;
  const Lane shifted = clipped * log2e + rounder;
  const Lane n = shifted - rounder;
  const Lane r = (clipped - n * ln2_high) - n * ln2_low;
  Lane p = zero;
#pragma GCC unroll 8
  for (const float coefficient : inverse_factorial) p = p * r + coefficient;
  const Bits scale = (reinterpret_cast<const Bits&>(shifted) + 127u) << 23;
  x = x > lowest ? p * reinterpret_cast<const Lane&>(scale) : zero;
}

}  // namespace hinge::single
