// Pairs of items of different level, each decided for itself: right when the item of the higher level wins.
// A right decision scores f_i − f_j, a wrong one costs 1:
//
//     solve:  Σ over pairs with level_i > level_j of T_τ(f_i − f_j, cost_weight)
//     amounts: Σ over right pairs of (e_i − e_j);        cost: how many pairs are wrong
//
// τ = 0 in O(n log n), by counting along the sorted scores (Joachims 2006); τ > 0 in O(pairs).
#pragma once

#include "hinge/inference/answer.h"
#include "hinge/inference/item_scores.h"

namespace hinge {

class Comparisons : public AlwaysExact {
 public:
  using Structure = ItemUse;
  using Scores = ItemScores;
  using Counts = ItemCounts;

  double solve(const ItemScores& scores, double temperature, double latent, ItemCounts& counts);

  static double pairs(std::span<const Index> level);
  // Every pair right.
  static ItemUse truth(std::span<const Index> level);

  template <class F>
  void for_each_structure(const ItemScores& scores, F&& f) const {
    std::vector<std::pair<std::size_t, std::size_t>> list;
    for_each_pair(scores.level, [&](std::size_t i, std::size_t j) { list.emplace_back(i, j); });
    for (std::size_t right = 0; right < std::size_t{1} << list.size(); ++right) {
      ItemUse use{std::vector<double>(scores.level.size()), 0};
      for (std::size_t p = 0; p < list.size(); ++p) {
        if (right >> p & 1)
          use.amount[list[p].first] += 1, use.amount[list[p].second] -= 1;
        else
          use.cost += 1;
      }
      f(use);
    }
  }

 private:
  template <class F>
  static void for_each_pair(std::span<const Index> level, F&& f) {
    for (std::size_t i = 0; i < level.size(); ++i)
      for (std::size_t j = 0; j < level.size(); ++j)
        if (level[i] > level[j]) f(i, j);
  }
  void decide(const ItemScores& scores, ItemUse& use);
  double decide_softly(const ItemScores& scores, double temperature, ItemUse& use) const;
  // How many of those counted have a level below this one.
  std::size_t below(Index level) const;
  void count(Index level);

  std::vector<Index> order_;
  std::vector<std::size_t> tree_;  // sums over levels (Fenwick)
};

}  // namespace hinge
