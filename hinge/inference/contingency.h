// Labellings of items as positive or not, whose cost depends on the contingency table only: of P items that are
// positive (level 1) and N that are not, a and b are labelled positive (Joachims 2005).
//
//     amounts: 1 for each item labelled positive         cost: 1 − measure(a, b)
//
//     error_rate  1 − (b + P − a)/n                           f_beta  (1 + β²) a / (a + b + β² P)
//     precision   a / (a + b)                                 recall  a / P
//
// Given the table, the best labelling takes the a highest of the P and the b highest of the N: so
//
//     max over labellings of w · cost + Σ scores = max over (a, b) of w · cost(a, b) + S_P[a] + S_N[b]
//
// with sums S of sorted scores. The cost is concave in b, so that for each a the best b is found by halving:
// O(n log n). With `predicted` labels there are as many tables. Slack rescaling: Δ(a, b) (1 + …) is a product
// of two functions concave in b, and rises, then falls, where it is positive: the same halving.
// Sums: T_τ over tables of w · cost/τ + log e_a + log e_b, with e the elementary symmetric sums of exp(score/τ);
// O(P² + N²), or O(n · predicted); item by item for the error rate, and where no cost is asked for (w = 0), whose mean is
// then told as 0 unless it is the error rate.
#pragma once

#include <optional>

#include "hinge/inference/answer.h"
#include "hinge/inference/item_scores.h"

namespace hinge {

struct TableMeasure {
  enum class Kind { error_rate, f_beta, precision, recall };
  Kind kind = Kind::error_rate;
  double beta = 1;
  double empty_value = 1;                     // f_beta where nothing is positive, nor labelled so
  std::optional<std::size_t> predicted = {};  // labellings with exactly so many positive ones
  bool break_even = false;                    // so many are P
  bool with_truth = false;                    // and the true labelling, at no cost

  std::size_t count(std::size_t positives) const { return break_even ? positives : *predicted; }
  bool fixed() const { return break_even || predicted.has_value(); }
  // Whether the table of P and N items is one of those that are looked at.
  bool has(std::size_t a, std::size_t b, std::size_t P) const {
    return !fixed() || a + b == count(P) || (with_truth && a == P && b == 0);
  }
  double cost(std::size_t a, std::size_t b, std::size_t P, std::size_t N) const;
};

class Contingency : public AlwaysExact {
 public:
  using Structure = ItemUse;
  using Counts = ItemCounts;
  struct Scores : ItemScores {
    const TableMeasure* measure = nullptr;
  };

  double solve(const Scores& scores, double temperature, double latent, ItemCounts& counts);
  double solve_slack(const Scores& scores, const Scores& losses, double reference, ItemCounts& counts);

  static double structures(const Scores& scores);
  template <class F>
  void for_each_structure(const Scores& scores, F&& f) const {
    const std::size_t items = scores.value.size();
    const auto P = static_cast<std::size_t>(std::ranges::count(scores.level, Index{1}));
    for (std::size_t chosen = 0; chosen < std::size_t{1} << items; ++chosen) {
      ItemUse use{std::vector<double>(items), 0};
      std::size_t a = 0, b = 0;
      for (std::size_t i = 0; i < items; ++i) {
        if (!(chosen >> i & 1)) continue;
        use.amount[i] = 1;
        ++(scores.level[i] == 1 ? a : b);
      }
      if (!scores.measure->has(a, b, P)) continue;
      use.cost = scores.measure->cost(a, b, P, items - P);
      f(use);
    }
  }

  // Rows of a sample whose sums over tables anybody would wait for.
  static constexpr std::size_t kMostSummed = 20'000;

 private:
  // Sorts the items of both levels by score, and sums them up.
  void sort(const Scores& scores);
  // The largest f(a, b) over the tables, f being concave in b or a product as above; sets a_ and b_.
  template <class F>
  double best_table(const TableMeasure& measure, F&& f);
  void use_best(const Scores& scores, ItemUse& use) const;
  double sum_items(const Scores& scores, double temperature, ItemUse& use) const;
  double sum_tables(const Scores& scores, double temperature, ItemUse& use);
  // Of one level at a time: log e_k for k ≤ most, and then the amounts from the derivatives of the total by
  // them.
  void symmetric_sums(const Scores& scores, const std::vector<Index>& items, double temperature,
                      std::size_t most, Vector& out);
  void add_marginals(const Scores& scores, const std::vector<Index>& items, double temperature,
                     const Vector& outside, double total, ItemUse& use);

  std::vector<Index> good_, bad_;
  Vector good_sum_, bad_sum_;  // of the first 0, 1, ... items
  std::size_t a_ = 0, b_ = 0;
  Vector good_log_, bad_log_, good_outside_, bad_outside_, kept_, rows_, backward_;
};

}  // namespace hinge
