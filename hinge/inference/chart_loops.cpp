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
[[gnu::always_inline]] inline double larger(double a, double b) { return b > a ? b : a; }

}  // namespace

HINGE_CLONES void max_pairs(const PairLoop& loop) {
  for (std::size_t p = 0; p < loop.count; ++p) {
    const ChartGrammar::Pair& pair = loop.pairs[p];
    const Live live = loop.live[pair.right];
    Index k = std::max(loop.first, live.first);
    const Index last = std::min(loop.last, live.last);
    const double* right = loop.right + pair.right * loop.stride;
    double best = kForbidden;
    if (k + 4 <= last) {
      Lane kept = *lane(loop.left + k) + *lane(right + k) + *lane(loop.split + k);
      for (k += 4; k + 4 <= last; k += 4) {
        const Lane value = *lane(loop.left + k) + *lane(right + k) + *lane(loop.split + k);
        kept = value > kept ? value : kept;
      }
      best = larger(larger(kept[0], kept[1]), larger(kept[2], kept[3]));
    }
    for (; k < last; ++k) best = larger(best, loop.left[k] + right[k] + loop.split[k]);
    loop.out[p] = best;
  }
}

HINGE_CLONES void sum_pairs(const PairLoop& loop) {
  double* const products = loop.products;
  for (Index k = loop.first; k < loop.last; ++k) products[k] = loop.left[k] * loop.split[k];
  for (std::size_t p = 0; p < loop.count; ++p) {
    const ChartGrammar::Pair& pair = loop.pairs[p];
    const Live live = loop.live[pair.right];
    Index k = std::max(loop.first, live.first);
    const Index last = std::min(loop.last, live.last);
    const double* right = loop.right + pair.right * loop.stride;
    double sum = 0;
    if (k + 4 <= last) {
      Lane kept = {};
      for (; k + 4 <= last; k += 4) kept += *lane(products + k) * *lane(right + k);
      sum = (kept[0] + kept[1]) + (kept[2] + kept[3]);
    }
    for (; k < last; ++k) sum += products[k] * right[k];
    loop.out[p] = sum;
  }
}

HINGE_CLONES void lower_pairs(const PairLoop& loop, const double* slope, double* sums, double* to_left,
                              double* to_right, double* to_split) {
  double* const products = loop.products;
  for (Index k = loop.first; k < loop.last; ++k) {
    products[k] = loop.left[k] * loop.split[k];
    sums[k] = 0;
  }
  for (std::size_t p = 0; p < loop.count; ++p) {
    if (slope[p] == 0) continue;
    const ChartGrammar::Pair& pair = loop.pairs[p];
    const Live live = loop.live[pair.right];
    Index k = std::max(loop.first, live.first);
    const Index last = std::min(loop.last, live.last);
    const double* right = loop.right + pair.right * loop.stride;
    double* to = to_right + pair.right * loop.stride;
    const double by = slope[p];
    double sum = 0;
    if (k + 4 <= last) {
      const Lane times = {by, by, by, by};
      Lane kept = {};
      for (; k + 4 <= last; k += 4) {
        const Lane product = *lane(products + k), other = *lane(right + k);
        kept += product * other;
        *reinterpret_cast<Lane*>(sums + k) += times * other;
        *reinterpret_cast<Lane*>(to + k) += times * product;
      }
      sum = (kept[0] + kept[1]) + (kept[2] + kept[3]);
    }
    for (; k < last; ++k) {
      sum += products[k] * right[k];
      sums[k] += by * right[k];
      to[k] += by * products[k];
    }
    loop.out[p] = sum;
  }
  for (Index k = loop.first; k < loop.last; ++k) {
    to_left[k] += loop.split[k] * sums[k];
    to_split[k] += products[k] * sums[k];
  }
}

}  // namespace hinge::chart_loops
