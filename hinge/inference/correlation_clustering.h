// The partition with the best sum over pairs that share a cluster (Bansal, Blum & Chawla 2004; as structural
// SVM: Finley & Joachims 2005):
//
//     solve = constant + max over partitions y of Σ over pairs (i, j) with y_i = y_j of value(i, j)
//
// It is NP-hard. No best cluster goes beyond a component of the graph of positive pairs; a component of at
// most kExact items is solved exactly, over its subsets in O(3^n). In a larger one clusters are merged, the
// best pair of them first, while that gains; then items move to better clusters while that gains. Such an
// answer is a partition, whose value may be below the best: approximate. Maxima only.
//
//     hinge::CorrelationClustering::Scores scores;
//     scores.shape(3);  // pairs (0, 1), (0, 2), (1, 2)
//     std::ranges::copy(std::vector{1.0, -2.0, 0.5}, scores.values().begin());
//     hinge::CorrelationClustering::Counts counts;
//     const double best = hinge::CorrelationClustering().solve(scores, 0, 0, counts);  // 1: {0, 1} and {2}
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "hinge/inference/answer.h"
#include "hinge/inference/pair_scores.h"

namespace hinge {

class CorrelationClustering {
 public:
  struct Scores : PairScores {
    double of(const Partition& s) const;
  };

  class Counts {
   public:
    const Partition& structure() const { return chosen_; }
    const Partition& most_probable() const { return chosen_; }
    void subtract(const Partition& s) { subtracted_ = s; }

    // f(pair, amount) of pairs that are used
    template <class F>
    void for_each_use(F&& f) const {
      for (std::size_t j = 1, pair = 0; j < chosen_.size(); ++j)
        for (std::size_t i = 0; i < j; ++i, ++pair) {
          const int used =
              int{chosen_[i] == chosen_[j]} - int{!subtracted_.empty() && subtracted_[i] == subtracted_[j]};
          if (used != 0) f(pair, static_cast<double>(used));
        }
    }

   private:
    friend class CorrelationClustering;
    Partition chosen_, subtracted_;
  };

  using Structure = Partition;
  static constexpr bool sums = false;  // only maxima
  static constexpr std::size_t kExact = 12;
  enum Way : std::size_t { kBySubsets, kGreedy };
  static constexpr std::array<const char*, 2> ways = {"exact", "greedy"};

  double solve(const Scores& scores, double output_temperature, double latent_temperature, Counts& counts);
  const Answer& answer() const { return answer_; }
  // Of more items a component may have more than kExact.
  static bool may_approximate(const Scores& scores, double /*output*/, double /*latent*/) {
    return scores.only == nullptr && scores.items() > kExact;
  }

  // See spanning_forest.h. Links are all pairs of a cluster.
  static std::size_t links(const Partition& y) { return pairs_together(y); }
  static bool determines(const Partition&) { return true; }
  static const Partition& structure(const Partition& y) { return y; }
  template <class F>
  static void for_each_link(const Partition& s, F&& f) {
    for (Index j = 1; j < s.size(); ++j)
      for (Index i = 0; i < j; ++i)
        if (s[i] == s[j]) f(i, j);
  }
  static Partition partition(std::size_t, const Partition& s) { return s; }

  static double structures(const Scores& scores);
  static void for_each_structure(const Scores& scores, const std::function<void(const Partition&)>& f);

 private:
  // Values of the items members[0], members[1], ... among each other, and what becomes of them: out[k] is the
  // cluster of the k-th, a number below their count.
  void gather(const Scores& scores, std::span<const Index> members);
  void cluster_exactly(std::size_t count);
  void merge_greedily(std::size_t count);
  void move_items(std::size_t count);
  void find_partner(Index cluster, std::size_t count);

  Answer answer_;
  DisjointSets components_{0};
  std::vector<Index> members_, out_;
  Vector value_;  // value_[a · count + b]; symmetric, 0 on the diagonal
  // of subsets: the sum inside, the best of its partitions, and the cluster of its lowest item there
  Vector inside_, best_;
  std::vector<std::uint32_t> cluster_;
  // of merging: sums between clusters, and each one's best partner with what it gains; sums to clusters
  Vector between_, gain_, to_cluster_;
  std::vector<Index> partner_;
};

}  // namespace hinge
