// Sums over a linear chain in single precision: what Chain::solve does at a positive temperature, for solvers that
// need many quick answers and check the last one in double. Rows stand close together, as ChainScores::get leaves
// them: T · K nodes, then K · K pairs where T > 1.
//
//     value   = τ log Σ_y exp(score(y) / τ)
//     entropy = value − <scores, counts>: made of differences to the best label of each position, which are small
//               where the chain is sure, not of two large numbers
//
// Marginals of a position are scaled to sum 1. Forbidden labels are numbers as low as kOut.
#pragma once

#include <span>

#include "hinge/core/aligned_vector.h"
#include "hinge/core/single_lanes.h"
#include "hinge/core/soft_value.h"

namespace hinge {

class SingleChain {
 public:
  static constexpr std::size_t kLeastLabels = single::kLane;

  // False where pair scores are further apart than single precision bears (60 τ), a position forbids every label, or
  // sums leave what numbers hold: then counts and `out` mean nothing.
  bool solve(std::span<const float> scores, std::size_t length, std::size_t labels, double temperature,
             std::span<float> counts, SoftValue& out);

  // out[t] = Σ over labels k ≠ path[t] of exp((node[t][k] − node[t][path[t]]) / τ), none of them above e^60
  static void odds(std::span<const float> nodes, std::span<const int> path, std::size_t labels,
                   double temperature, std::span<float> out);

 private:
  using Room = AlignedVectorOf<float>;
  Room forward_, backward_, emission_;  // a row for each position
  Room exponential_, transposed_;       // exp(pair / τ)
  Room top_, over_;                     // of each position
};

}  // namespace hinge
