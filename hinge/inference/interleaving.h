// Rankings of two kinds of items, levels 1 (good) and 0 (bad), by how they interleave, with average precision
// as their cost (Yue et al. 2007). With R good and N bad items, y_ij = 1 where good i stands before bad j and
// −1 where it does not:
//
//     amounts: 1/(R N) Σ_ij y_ij (e_i − e_j)         cost: 1 − (1/R) Σ over good items of precision there
//     solve:   max over rankings
//
// Both kinds stand in the order of their scores, and the j-th bad item goes where the sum below is largest,
// over the good items that it then precedes; where the items before it stand does not matter, and no item
// goes before an earlier one. O(n log n + R N). τ = 0 only: sums over rankings are not known to be easy.
//
//     Σ_{i ≥ opt} [ cost_weight/R (i/(i + j − 1) − i/(i + j)) − 2/(R N) (f_i − f_j) ]
#pragma once

#include <algorithm>
#include <numeric>

#include "hinge/inference/answer.h"
#include "hinge/inference/item_scores.h"

namespace hinge {

class Interleaving : public AlwaysExact {
 public:
  using Structure = ItemUse;
  using Scores = ItemScores;
  using Counts = ItemCounts;

  double solve(const ItemScores& scores, double temperature, double latent, ItemCounts& counts);

  // Every good item before every bad one.
  static ItemUse truth(std::span<const Index> level);
  // That of a ranking, best first, into `use`, whose amounts have their size.
  static void use_of(std::span<const Index> level, std::span<const Index> ranking, ItemUse& use);
  static double structures(const ItemScores& scores);

  template <class F>
  void for_each_structure(const ItemScores& scores, F&& f) const {
    std::vector<Index> ranking(scores.value.size());
    ItemUse use{std::vector<double>(ranking.size()), 0};
    std::iota(ranking.begin(), ranking.end(), Index{0});
    const auto twin = [&](Index a, Index b) { return scores.level[a] == scores.level[b] && a > b; };
    do {  // neighbours of one kind stand in ascending order, so that no structure comes twice
      if (std::ranges::adjacent_find(ranking, twin) != ranking.end()) continue;
      use_of(scores.level, ranking, use);
      f(use);
    } while (std::ranges::next_permutation(ranking).found);
  }

 private:
  std::vector<Index> good_, bad_, ranking_;
};

}  // namespace hinge
