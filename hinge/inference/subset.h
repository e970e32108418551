// Any of the items, each for itself:
//
//     solve:  T_τ over subsets S of Σ_{i ∈ S} f_i  =  Σ_i τ log(1 + exp(f_i / τ)),  Σ_i max(0, f_i) when τ = 0
//
// O(n).
#pragma once

#include <cmath>

#include "hinge/inference/answer.h"
#include "hinge/inference/item_scores.h"

namespace hinge {

class Subset : public AlwaysExact {
 public:
  using Structure = ItemUse;
  using Scores = ItemScores;
  using Counts = ItemCounts;

  double solve(const ItemScores& scores, double temperature, double /*latent*/, ItemCounts& counts) const {
    if (scores.only != nullptr) return counts.take(scores);
    ItemUse& use = counts.clear(scores.value.size());
    double sum = scores.constant;
    for (std::size_t i = 0; i < scores.value.size(); ++i) {
      const double f = scores.value[i];
      if (temperature == 0) {
        use.amount[i] = f > 0 ? 1 : 0;
        sum += std::max(f, 0.0);
      } else {
        const double odds = std::exp(-std::abs(f) / temperature);
        use.amount[i] = (f > 0 ? 1 : odds) / (1 + odds);
        sum += std::max(f, 0.0) + temperature * std::log1p(odds);
      }
    }
    return sum;
  }

  template <class F>
  void for_each_structure(const ItemScores& scores, F&& f) const {
    const std::size_t items = scores.value.size();
    for (std::size_t chosen = 0; chosen < std::size_t{1} << items; ++chosen) {
      ItemUse use{std::vector<double>(items), 0};
      for (std::size_t i = 0; i < items; ++i) use.amount[i] = chosen >> i & 1 ? 1 : 0;
      f(use);
    }
  }
};

}  // namespace hinge
