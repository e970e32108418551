// The inner loops of packed emissions in single precision, over all positions of a sequence: scores of 16 to 32 labels
// stay in registers while the rows of a position are summed.
#pragma once

#include "hinge/tasks/sequence/packed_sequence.h"

namespace hinge {

struct PackedShape {
  const PackedSequence& x;
  std::size_t width;   // of a row of weights
  std::size_t labels;  // of a row of scores or amounts: at most width, and at least single::kLane
  unsigned bits;       // of a weight's number in a pair; above it is the label
};

// out[t · labels + k] = Σ over rows of w[row · width + k] + Σ over pairs with label k of their w; rows are written up to
// their width.
void packed_scores(const PackedShape& shape, const float* w, float* out);

// Its adjoint, w += share · v with v = factor · amounts[t · labels + k]; a null share is 1, but 0 of a weight that is −0.
// Returns Σ v (2 w + share · v), w before each addition.
double packed_move(const PackedShape& shape, const float* amounts, float factor, float* w,
                   const float* share);

}  // namespace hinge
