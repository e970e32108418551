#include "hinge/inference/chart_loops.h"

#include <algorithm>

#include "hinge/core/clones.h"
#include "hinge/core/smooth_max.h"

// g++ 12 takes vectors in a cloned function for uninitialised.
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace hinge::chart_loops {
namespace {

using Lane __attribute__((vector_size(4 * sizeof(double)), aligned(alignof(double)), may_alias)) = double;

// A function that returned one would have another ABI in each clone, and clang takes a reference for one to 32 aligned
// bytes.
[[gnu::always_inline]] inline const Lane* lane(const double* at) { return reinterpret_cast<const Lane*>(at); }
[[gnu::always_inline]] inline Lane* room(double* at) { return reinterpret_cast<Lane*>(at); }
[[gnu::always_inline]] inline double larger(double a, double b) { return b > a ? b : a; }

// The k of a block.
struct Range {
  std::size_t first, last;
};
[[gnu::always_inline]] inline Range range_of(const SpanLoop& loop, const ChartGrammar::Block& block) {
  const Live live = loop.live[block.left];
  return {std::max(live.first, loop.begin + 1), std::min(live.last, loop.end)};
}

}  // namespace

HINGE_CLONES void max_splits(const SpanLoop& loop) {
  double* const products = loop.products;
  for (std::size_t b = 0; b < loop.blocks.size(); ++b) {
    const ChartGrammar::Block& block = loop.blocks[b];
    const Index *chosen = loop.chosen + block.first, *const chosen_end = chosen + loop.counts[b];
    if (chosen == chosen_end) continue;
    const auto [first, last] = range_of(loop, block);
    if (first >= last) {
      for (; chosen != chosen_end; ++chosen) loop.out[*chosen] = kForbidden;
      continue;
    }
    const double *left = loop.left + block.left * loop.stride,
                 *split = loop.split + block.group * loop.split_stride;
    for (std::size_t k = first; k < last; k += kLanes)
      *room(products + k) = *lane(left + k) + *lane(split + k);
    *room(products + last) = Lane{kForbidden, kForbidden, kForbidden, kForbidden};
    for (; chosen != chosen_end; ++chosen) {
      const double* right = loop.right + loop.pairs[*chosen].right * loop.stride;
      Lane kept = *lane(products + first) + *lane(right + first);
      for (std::size_t k = first + kLanes; k < last; k += kLanes) {
        const Lane value = *lane(products + k) + *lane(right + k);
        kept = value > kept ? value : kept;
      }
      loop.out[*chosen] = larger(larger(kept[0], kept[1]), larger(kept[2], kept[3]));
    }
  }
}

HINGE_CLONES void sum_splits(const SpanLoop& loop) {
  double* const products = loop.products;
  for (std::size_t b = 0; b < loop.blocks.size(); ++b) {
    const ChartGrammar::Block& block = loop.blocks[b];
    const Index *chosen = loop.chosen + block.first, *const chosen_end = chosen + loop.counts[b];
    if (chosen == chosen_end) continue;
    const auto [first, last] = range_of(loop, block);
    if (first >= last) {
      for (; chosen != chosen_end; ++chosen) loop.out[*chosen] = 0;
      continue;
    }
    const double *left = loop.left + block.left * loop.stride,
                 *split = loop.split + block.group * loop.split_stride;
    for (std::size_t k = first; k < last; k += kLanes)
      *room(products + k) = *lane(left + k) * *lane(split + k);
    *room(products + last) = Lane{};
    for (; chosen != chosen_end; ++chosen) {
      const double* right = loop.right + loop.pairs[*chosen].right * loop.stride;
      Lane kept = {};
      for (std::size_t k = first; k < last; k += kLanes) kept += *lane(products + k) * *lane(right + k);
      loop.out[*chosen] = (kept[0] + kept[1]) + (kept[2] + kept[3]);
    }
  }
}

HINGE_CLONES void lower_splits(const SpanLoop& loop, const Derivatives& to) {
  double *const products = loop.products, *const sums = to.sums;
  for (std::size_t b = 0; b < loop.blocks.size(); ++b) {
    const ChartGrammar::Block& block = loop.blocks[b];
    const Index *chosen = loop.chosen + block.first, *const chosen_end = chosen + loop.counts[b];
    if (chosen == chosen_end) continue;
    const auto [first, last] = range_of(loop, block);
    if (first >= last) {
      for (; chosen != chosen_end; ++chosen) loop.out[*chosen] = 0;
      continue;
    }
    const double *left = loop.left + block.left * loop.stride,
                 *split = loop.split + block.group * loop.split_stride;
    for (std::size_t k = first; k < last; k += kLanes) {
      *room(products + k) = *lane(left + k) * *lane(split + k);
      *room(sums + k) = Lane{};
    }
    *room(products + last) = Lane{};
    for (; chosen != chosen_end; ++chosen) {
      const std::size_t row = loop.pairs[*chosen].right * loop.stride;
      const double* right = loop.right + row;
      double* to_right = to.to_right + row;
      const double by = to.slope[*chosen];
      const Lane times = {by, by, by, by};
      Lane kept = {};
      for (std::size_t k = first; k < last; k += kLanes) {
        const Lane product = *lane(products + k), other = *lane(right + k);
        kept += product * other;
        *room(sums + k) += times * other;
        *room(to_right + k) += times * product;
      }
      loop.out[*chosen] = (kept[0] + kept[1]) + (kept[2] + kept[3]);
    }
    double *to_left = to.to_left + block.left * loop.stride,
           *to_split = to.to_split + block.group * loop.stride;
    for (std::size_t k = first; k < last; ++k) {
      to_left[k] += split[k] * sums[k];
      to_split[k] += products[k] * sums[k];
    }
  }
}

}  // namespace hinge::chart_loops
