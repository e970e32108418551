// The loops over splits that charts wait for: over k, rows of numbers that stand side by side.
#pragma once

#include "hinge/inference/chart_grammar.h"

namespace hinge::chart_loops {

// Positions where a symbol stands, and all between: from first up to last.
struct Live {
  Index first, last;
};

// For each of the pairs, with R the row of its right child and k where it is live, from `first` up to `last`:
struct PairLoop {
  const ChartGrammar::Pair* pairs;
  std::size_t count;
  const double *left, *split;  // rows by k
  Index first, last;
  const double* right;  // the row of slot 0, those of others `stride` apart
  std::size_t stride;
  const Live* live;  // of each right slot
  double* products;  // room for a row by k
  double* out;       // by pair
};
// out = max over k of left[k] + R[k] + split[k], −∞ where there is none
void max_pairs(const PairLoop& loop);
// out = Σ over k of left[k] · R[k] · split[k]
void sum_pairs(const PairLoop& loop);
// Where slope[p] is not 0, the derivatives of Σ slope · out too; to_right has the rows of right children:
//     sums[k] += slope · R[k],  to_right[k] += slope · left[k] · split[k]
// then to_left[k] += split[k] · sums[k] and to_split[k] += left[k] · split[k] · sums[k].
void lower_pairs(const PairLoop& loop, const double* slope, double* sums, double* to_left, double* to_right,
                 double* to_split);

}  // namespace hinge::chart_loops
