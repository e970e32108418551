#include "hinge/tasks/sequence/packed_kernels.h"

#include <algorithm>

#include "hinge/core/clones.h"
#include "hinge/core/single_lanes.h"

// g++ 12 takes arrays of vectors in a cloned function for uninitialised.
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

// A row is cut into pieces of up to four lanes. The last lane of a row ends with it and may repeat some of the one before:
// what is written twice is the same number, and of what is summed `fresh` leaves out the repeated.

namespace hinge {
namespace {

using single::at;
using single::kLane;
using PackedLane = single::Lane;

constexpr std::size_t kMost = 4;  // lanes of a piece

struct PackedPiece {
  std::size_t first, last;  // where its first and its last lane begin
  std::size_t place(std::size_t b, std::size_t lanes) const {
    return b + 1 < lanes ? first + b * kLane : last;
  }
};

// Of the last lane of a piece.
struct PackedEnd {
  PackedLane fresh;   // 1 where it repeats nothing
  PackedLane labels;  // 1 where there is a label
};

// What rows of one position add to Lanes lanes of out, which is written.
template <std::size_t Lanes>
[[gnu::always_inline]] inline void sum_rows(const PackedPiece& piece, std::span<const Index> rows,
                                            const float* value, std::size_t width, const float* w,
                                            float* out) {
  PackedLane sum[Lanes];
  for (std::size_t b = 0; b < Lanes; ++b) sum[b] = PackedLane{};
  if (value == nullptr) {
    for (const Index row : rows) {
      const float* from = w + std::size_t{row} * width;
      for (std::size_t b = 0; b < Lanes; ++b) sum[b] += at(from + piece.place(b, Lanes));
    }
  } else {
    for (std::size_t a = 0; a < rows.size(); ++a) {
      const float* from = w + std::size_t{rows[a]} * width;
      for (std::size_t b = 0; b < Lanes; ++b) sum[b] += value[a] * at(from + piece.place(b, Lanes));
    }
  }
  for (std::size_t b = 0; b < Lanes; ++b) at(out + piece.place(b, Lanes)) = sum[b];
}

// Moves Lanes lanes of the rows of one position by factor · in; adds to `growth`.
template <std::size_t Lanes>
[[gnu::always_inline]] inline void move_rows_of(const PackedPiece& piece, const PackedEnd& end,
                                                std::span<const Index> rows, const float* value,
                                                std::size_t width, const float* in, float factor, float* w,
                                                const float* share, PackedLane& growth) {
  constexpr std::uint32_t kNegativeZero = std::uint32_t{1} << 31;
  PackedLane amount[Lanes], sum[Lanes];
  for (std::size_t b = 0; b < Lanes; ++b) {
    amount[b] = factor * at(in + piece.place(b, Lanes));
    sum[b] = PackedLane{};
  }
  amount[Lanes - 1] *= end.labels;
  for (std::size_t a = 0; a < rows.size(); ++a) {
    const std::size_t row = std::size_t{rows[a]} * width;
    PackedLane before[Lanes], after[Lanes];
    for (std::size_t b = 0; b < Lanes; ++b) {
      const std::size_t k = row + piece.place(b, Lanes);
      const PackedLane v = value == nullptr ? amount[b] : amount[b] * value[a];
      before[b] = at(w + k);
      if (share == nullptr) {
        const PackedLane moved = before[b] + v;
        after[b] = reinterpret_cast<const single::Bits&>(before[b]) == kNegativeZero ? before[b] : moved;
      } else {
        after[b] = before[b] + v * at(share + k);
      }
      sum[b] += v * (before[b] + after[b]);
    }
    for (std::size_t b = 0; b < Lanes; ++b) at(w + row + piece.place(b, Lanes)) = after[b];
  }
  for (std::size_t b = 0; b + 1 < Lanes; ++b) growth += sum[b];
  growth += sum[Lanes - 1] * end.fresh;
}

// work(lanes, piece, end) for the pieces of a row; lanes is a constant
template <class Work>
[[gnu::always_inline]] inline void over_pieces(std::size_t width, std::size_t labels, const Work& work) {
  PackedEnd end{PackedLane{} + 1, PackedLane{} + 1};
  std::size_t first = 0;
  for (; first + kMost * kLane < width; first += kMost * kLane)
    work(std::integral_constant<std::size_t, kMost>(), PackedPiece{first, first + (kMost - 1) * kLane}, end);
  const PackedPiece rest{first, width - kLane};
  const std::size_t again = (kLane - (width - first) % kLane) % kLane;
  for (std::size_t k = 0; k < kLane; ++k) {
    end.fresh[k] = k < again ? 0.0f : 1.0f;
    end.labels[k] = rest.last + k < labels ? 1.0f : 0.0f;
  }
  switch ((width - first + kLane - 1) / kLane) {
    case 4:
      return work(std::integral_constant<std::size_t, 4>(), rest, end);
    case 3:
      return work(std::integral_constant<std::size_t, 3>(), rest, end);
    case 2:
      return work(std::integral_constant<std::size_t, 2>(), rest, end);
    case 1:
      return work(std::integral_constant<std::size_t, 1>(), rest, end);
  }
}

}  // namespace

HINGE_CLONES void packed_scores(const PackedShape& shape, const float* w, float* out) {
  const auto& [x, width, labels, bits] = shape;
  const Index weight = (Index{1} << bits) - 1;
  const std::size_t length = x.length();
  for (std::size_t t = 0; t < length; ++t, out += labels) {
    const std::span<const Index> rows = x.rows(t), pairs = x.pairs(t);
    over_pieces(
        width,
        labels, [&](auto lanes, const PackedPiece& piece, const PackedEnd&) __attribute__((always_inline)) {
          sum_rows<lanes>(piece, rows, x.values(rows), width, w, out);
        });
    if (const float* value = x.values(pairs); value == nullptr)
      for (const Index pair : pairs) out[pair >> bits] += w[pair & weight];
    else
      for (std::size_t a = 0; a < pairs.size(); ++a) out[pairs[a] >> bits] += value[a] * w[pairs[a] & weight];
  }
}

HINGE_CLONES double packed_move(const PackedShape& shape, const float* amounts, float factor, float* w,
                                const float* share) {
  const auto& [x, width, labels, bits] = shape;
  const Index weight = (Index{1} << bits) - 1;
  const std::size_t length = x.length();
  float last[64];
  std::vector<float> longer;
  double growth = 0;
  for (std::size_t t = 0; t < length; ++t) {
    const float* in = amounts + t * labels;
    if (t + 1 == length && width > labels) {  // nothing may be read behind it
      float* room = last;
      if (width > std::size(last)) {
        longer.resize(width);
        room = longer.data();
      }
      std::fill(std::copy_n(in, labels, room), room + width, 0.0f);
      in = room;
    }
    const std::span<const Index> rows = x.rows(t), pairs = x.pairs(t);
    PackedLane sum = {};
    over_pieces(
        width, labels,
        [&](auto lanes, const PackedPiece& piece, const PackedEnd& end) __attribute__((always_inline)) {
          move_rows_of<lanes>(piece, end, rows, x.values(rows), width, in, factor, w, share, sum);
        });
    float rest = 0;
    const float* value = x.values(pairs);
    for (std::size_t a = 0; a < pairs.size(); ++a) {
      const std::size_t j = pairs[a] & weight;
      const float v = (value == nullptr ? factor : factor * value[a]) * in[pairs[a] >> bits], before = w[j];
      const float after = before + (share == nullptr ? v : v * share[j]);
      w[j] = after;
      rest += v * (before + after);
    }
    growth += static_cast<double>(single::sum(sum) + rest);
  }
  return growth;
}

}  // namespace hinge
