// The best set of links without a cycle, whose trees are clusters:
//
//     solve = constant + max over forests F of Σ over links (i, j) in F of value(i, j)
//
// Of all structures, so links of positive value alone are worth taking; of one partition, a tree through each
// of its clusters. It is the forest that Kruskal's algorithm finds, where of two links with equal values the
// one between nearer items comes first, then the earlier one; so with equal values everywhere trees are
// chains in the order of the items. Found as Prim does, without sorting: O(n²). Maxima only.
//
//     hinge::SpanningForest::Scores scores;
//     scores.shape(3);                                                          // pairs (0, 1), (0, 2), (1, 2)
//     std::ranges::copy(std::vector{1.0, -2.0, 0.5}, scores.values().begin());
//     hinge::SpanningForest::Counts counts;
//     const double best = hinge::SpanningForest().solve(scores, 0, 0, counts);  // 1.5: 0 - 1 - 2
#pragma once

#include <functional>

#include "hinge/inference/answer.h"
#include "hinge/inference/pair_scores.h"

namespace hinge {

using Forest = std::vector<ItemLink>;  // by their second items, then by their first

class SpanningForest : public AlwaysExact {
 public:
  struct Scores : PairScores {
    double of(const Forest& s) const;
  };

  class Counts {
   public:
    const Forest& structure() const { return chosen_; }
    const Forest& most_probable() const { return chosen_; }
    void subtract(const Forest& s) { subtracted_ = s; }

    // f(pair, amount) of links that are used
    template <class F>
    void for_each_use(F&& f) const {
      for (const ItemLink& link : chosen_) f(first_pair(link.second) + link.first, 1.0);
      for (const ItemLink& link : subtracted_) f(first_pair(link.second) + link.first, -1.0);
    }

   private:
    friend class SpanningForest;
    Forest chosen_, subtracted_;
  };

  using Structure = Forest;
  static constexpr bool sums = false;  // only maxima

  double solve(const Scores& scores, double output_temperature, double latent_temperature, Counts& counts);

  // What tasks ask of an engine on pairs: how many links a partition's structures have, the one structure of
  // a partition whose clusters have at most two items, the links of a structure and its partition.
  static std::size_t links(const Partition& y) { return y.size() - cluster_count(y); }
  static bool determines(const Partition& y);
  static Forest structure(const Partition& y);  // trees that are chains
  template <class F>
  static void for_each_link(const Forest& s, F&& f) {
    for (const ItemLink& link : s) f(link.first, link.second);
  }
  static Partition partition(std::size_t items, const Forest& s);

  static double structures(const Scores& scores);
  static void for_each_structure(const Scores& scores, const std::function<void(const Forest&)>& f);

 private:
  // An item outside of the tree: the best link to it, and where that comes from.
  struct Reached {
    double best;
    Index item, from;
  };
  // Offers links from an item that joined the tree; the one to join next.
  std::size_t reach(const Scores& scores, Index from);
  static bool comes_before(const Reached& a, const Reached& b);

  std::vector<Reached> outside_;
};

}  // namespace hinge
