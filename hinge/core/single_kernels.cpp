#include "hinge/core/single_kernels.h"

#include <cmath>

#include "hinge/core/clones.h"
#include "hinge/core/single_lanes.h"

// g++ 12 takes arrays of vectors in a cloned function for uninitialised.
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace hinge::kernels {
namespace {

using SingleLane = single::Lane;

// out[0 … Lanes · single::kLane) += Σ_a value[a] · w[row[a] · labels + 0 …), which stays in registers meanwhile
template <std::size_t Lanes>
[[gnu::always_inline]] inline void single_row_block(float* out, std::size_t labels, const Index* row,
                                                    const float* value, std::size_t rows, const float* w) {
  SingleLane kept[Lanes];
  for (std::size_t b = 0; b < Lanes; ++b) kept[b] = single::at(out + b * single::kLane);
  for (std::size_t a = 0; a < rows; ++a) {
    const float* from = w + static_cast<std::size_t>(row[a]) * labels;
    if (value == nullptr)
      for (std::size_t b = 0; b < Lanes; ++b) kept[b] += single::at(from + b * single::kLane);
    else
      for (std::size_t b = 0; b < Lanes; ++b) kept[b] += value[a] * single::at(from + b * single::kLane);
  }
  for (std::size_t b = 0; b < Lanes; ++b) single::at(out + b * single::kLane) = kept[b];
}

}  // namespace

HINGE_CLONES void add_rows(float* out, std::size_t labels, const Index* row, const float* value,
                           std::size_t rows, const float* w) {
  if (rows == 0) return;  // there may be no w then
  std::size_t k = 0;
  for (; k + 24 <= labels; k += 24) single_row_block<3>(out + k, labels, row, value, rows, w + k);
  for (; k + 8 <= labels; k += 8) single_row_block<1>(out + k, labels, row, value, rows, w + k);
  if (k == labels) return;
  float rest[single::kLane] = {};
  const std::size_t left = labels - k;
  for (std::size_t a = 0; a < rows; ++a) {
    const float* from = w + static_cast<std::size_t>(row[a]) * labels + k;
    const float v = value == nullptr ? 1 : value[a];
    for (std::size_t b = 0; b < left; ++b) rest[b] += v * from[b];
  }
  for (std::size_t b = 0; b < left; ++b) out[k + b] += rest[b];
}

HINGE_CLONES double move_rows(float* w, const float* share, std::size_t labels, const Index* row,
                              const float* value, std::size_t rows, const float* in, float factor) {
  constexpr std::uint32_t kNegativeZero = std::uint32_t{1} << 31;
  SingleLane sums[3] = {};  // one would wait for each addition before the next
  float rest = 0;
  for (std::size_t a = 0; a < rows; ++a) {
    const std::size_t first = static_cast<std::size_t>(row[a]) * labels;
    float* out = w + first;
    const float f = value == nullptr ? factor : factor * value[a];
    const auto move = [&](std::size_t k, SingleLane & sum) __attribute__((always_inline)) {
      SingleLane& place = single::at(out + k);
      const SingleLane v = single::at(in + k) * f, before = place;
      if (share == nullptr) {
        const SingleLane after = before + v;
        place = reinterpret_cast<const single::Bits&>(before) == kNegativeZero ? before : after;
      } else {
        place = before + v * single::at(share + first + k);
      }
      sum += v * (before + place);
    };
    std::size_t k = 0;
    for (; k + 3 * single::kLane <= labels; k += 3 * single::kLane) {
      move(k, sums[0]);
      move(k + single::kLane, sums[1]);
      move(k + 2 * single::kLane, sums[2]);
    }
    for (; k + single::kLane <= labels; k += single::kLane) move(k, sums[0]);
    for (; k < labels; ++k) {
      const float v = in[k] * f, before = out[k];
      const bool fixed = before == 0 && std::signbit(before);
      out[k] += share != nullptr ? v * share[first + k] : fixed ? before : v;
      rest += v * (before + out[k]);
    }
  }
  sums[0] += sums[1];
  return static_cast<double>(single::sum(sums[0] += sums[2])) + static_cast<double>(rest);
}

}  // namespace hinge::kernels
