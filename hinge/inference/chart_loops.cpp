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
  for (std::size_t p = 0; p < loop.count; ++p) {
    const ChartGrammar::Pair& pair = loop.pairs[p];
    const Live live = loop.live[pair.right];
    Index k = std::max(loop.first, live.first);
    const Index last = std::min(loop.last, live.last);
    const double* right = loop.right + pair.right * loop.stride;
    double sum = 0;
    if (k + 4 <= last) {
      Lane kept = {};
      for (; k + 4 <= last; k += 4) kept += *lane(loop.left + k) * *lane(right + k) * *lane(loop.split + k);
      sum = (kept[0] + kept[1]) + (kept[2] + kept[3]);
    }
    for (; k < last; ++k) sum += loop.left[k] * right[k] * loop.split[k];
    loop.out[p] = sum;
  }
}

HINGE_CLONES void spread(double factor, const double* left, const double* right, const double* split,
                         Index first, Index last, double* to_left, double* to_right, double* to_split) {
  Index k = first;
  const Lane times = {factor, factor, factor, factor};
  for (; k + 4 <= last; k += 4) {
    const Lane amount = times * (*lane(left + k) * *lane(right + k) * *lane(split + k));
    *reinterpret_cast<Lane*>(to_left + k) += amount;
    *reinterpret_cast<Lane*>(to_right + k) += amount;
    *reinterpret_cast<Lane*>(to_split + k) += amount;
  }
  for (; k < last; ++k) {
    const double amount = factor * (left[k] * right[k] * split[k]);
    to_left[k] += amount;
    to_right[k] += amount;
    to_split[k] += amount;
  }
}

}  // namespace hinge::chart_loops
