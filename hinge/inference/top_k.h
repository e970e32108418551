// An order of the items of which the first k places count, by d_1 ≥ d_2 ≥ … ≥ d_k ≥ 0:
//
//     solve:  T_τ over orders h of Σ_{j ≤ k} d_j f_{h(j)}
//
// The maximum is the order of descending scores (the rearrangement inequality), of equal ones the first: one
// partial sort. With tiers, items of a higher tier come before those of a lower one, and scores decide within
// a tier. Orders that use every item by the same amount are one structure; where all d_j are equal those are
// the sets of k items, and T_τ is τ log of an elementary symmetric polynomial of exp(d f / τ), in O(n k). For
// other d_j the sum over orders is a permanent, and only τ = 0 is served.
//
//     const std::vector places{1.0, 0.5};  // the first place counts twice the second
//     hinge::ItemScores scores;
//     scores.reset(3);
//     scores.value = {1, 3, 2};
//     scores.position = places;
//     hinge::ItemCounts counts;
//     const double best = hinge::TopK().solve(scores, 0, 0, counts);  // 4: item 1, then item 2
#pragma once

#include "hinge/inference/answer.h"
#include "hinge/inference/item_scores.h"

namespace hinge {

class TopK : public AlwaysExact {
 public:
  using Structure = ItemUse;
  using Scores = ItemScores;
  using Counts = ItemCounts;

  double solve(const ItemScores& scores, double temperature, double latent, ItemCounts& counts);

  // Whether a positive temperature can be served.
  static bool level_positions(std::span<const double> position) {
    return position.empty() || position.front() == position.back();
  }
  static double structures(const ItemScores& scores);

  template <class F>
  void for_each_structure(const ItemScores& scores, F&& f) const {
    ItemUse use{std::vector<double>(scores.value.size()), 0};
    std::vector<char> used(scores.value.size());
    place(scores, 0, 0, used, use, f);
  }

 private:
  double best_order(const ItemScores& scores, ItemUse& use);
  double sum_over_sets(const ItemScores& scores, double temperature, ItemUse& use);

  // Items of places that count alike stand in ascending order, so that no structure comes twice.
  template <class F>
  static void place(const ItemScores& scores, std::size_t j, std::size_t first, std::vector<char>& used,
                    ItemUse& use, F& f) {
    if (j == scores.position.size()) return f(use);
    const bool alike = j > 0 && scores.position[j] == scores.position[j - 1];
    for (std::size_t i = alike ? first : 0; i < used.size(); ++i) {
      if (used[i]) continue;
      used[i] = 1;
      use.amount[i] = scores.position[j];
      place(scores, j + 1, i + 1, used, use, f);
      use.amount[i] = 0;
      used[i] = 0;
    }
  }

  std::vector<Index> order_;
  std::vector<double> forward_, backward_;
};

// TopK with one place, for labels that are mixtures of structures (a distribution over who is first): these
// are not listed among the structures.
class FirstPlace : private TopK {
 public:
  using TopK::answer;
  using TopK::Counts;
  using TopK::may_approximate;
  using TopK::Scores;
  using TopK::solve;
  using TopK::Structure;
  using TopK::ways;
};

}  // namespace hinge
