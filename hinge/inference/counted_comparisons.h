// Comparisons (comparisons.h) that serve slack rescaling too: with d the differences f_i − f_j of the pairs in
// ascending order and u the cost of one,
//
//     solve_slack: max over k of u k (1 − d_1 − … − d_k),        the k pairs wrong that are so already, or nearly
//
// O(pairs log pairs).
#pragma once

#include <cmath>

#include "hinge/inference/comparisons.h"

namespace hinge {

class CountedComparisons : public Comparisons {
 public:
  double solve_slack(const ItemScores& scores, const ItemScores& losses, double reference,
                     ItemCounts& counts);

  static double structures(const ItemScores& scores) { return std::exp2(pairs(scores.level)); }

  // Pairs that are sorted at most.
  static constexpr std::size_t kMostPairs = std::size_t{1} << 25;

 private:
  struct Pair {
    double difference;
    Index better, worse;
  };
  std::vector<Pair> pairs_;
};

}  // namespace hinge
