// The loops over splits that charts wait for, all of a span in one call: over k, rows of numbers that stand side by side.
#pragma once

#include <span>

#include "hinge/inference/chart_grammar.h"

namespace hinge::chart_loops {

// Positions where a symbol stands, and all between: from first up to last.
struct Live {
  Index first, last;
};

// Loops take this many k at a time, beyond the last one too: rows have room for as many more, right children's with the
// ring's zero.
inline constexpr std::size_t kLanes = 4;

// For the chosen pairs of each block, with k from `begin` + 1 up to `end` as far as the left child is live. All pairs of a block
// go as far, so that no branch depends on the pair.
struct SpanLoop {
  std::span<const ChartGrammar::Block> blocks;
  const ChartGrammar::Pair* pairs;
  const Index *chosen, *counts;  // of block b: chosen[blocks[b].first], … counts[b] pairs
  Index begin, end;
  // Rows by k, those of slots or groups a stride apart.
  const double *left, *right, *split;
  std::size_t stride, split_stride;
  const Live* live;  // of each left slot
  double* products;  // room for a row by k: left and split together
  double* out;       // by pair
};
// out = max over k of left[k] + split[k] + right[k], −∞ where there is none
void max_splits(const SpanLoop& loop);
// out = Σ over k of left[k] · split[k] · right[k]
void sum_splits(const SpanLoop& loop);

// With sums[k] = Σ over the pairs of a block of slope · right[k]:
struct Derivatives {
  const double* slope;  // by pair
  double* sums;         // room for a row
  // to_left[k] += split[k] · sums[k],  to_split[k] += left[k] · split[k] · sums[k],  to_right[k] += slope · left[k] · split[k]
  double *to_left, *to_right, *to_split;
};
// sum_splits, and derivatives of Σ slope · out.
void lower_splits(const SpanLoop& loop, const Derivatives& to);

}  // namespace hinge::chart_loops
