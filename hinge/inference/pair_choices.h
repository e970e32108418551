// Every pair of items is linked or not, whatever the others are:
//
//     solve = constant + Σ over pairs of T_τ of (0, value),       τ the output temperature
//
// Exact, linear in the pairs. Clusters are what links connect.
#pragma once

#include <functional>

#include "hinge/inference/answer.h"
#include "hinge/inference/pair_scores.h"

namespace hinge {

class PairChoices : public AlwaysExact {
 public:
  using Structure = std::vector<char>;  // whether each pair is linked
  struct Scores : PairScores {
    double of(const Structure& s) const;
  };

  class Counts {
   public:
    const Structure& structure() const { return chosen_; }
    const Structure& most_probable() const { return chosen_; }
    void subtract(const Structure& s) {
      for (std::size_t p = 0; p < s.size(); ++p) amount_[p] -= s[p];
      constant_ -= 1;
    }

    void get(std::span<double> out) const {
      out[0] = constant_;
      std::copy_n(amount_.begin(), chosen_.size(), out.begin() + 1);
    }
    void set(const Scores&, std::span<const double> in) {
      constant_ = in[0];
      chosen_.assign(in.size() - 1, 0);
      amount_.assign(in.begin() + 1, in.end());
    }

    // f(pair, amount) of pairs that are used
    template <class F>
    void for_each_use(F&& f) const {
      for (std::size_t p = 0; p < chosen_.size(); ++p)
        if (amount_[p] != 0) f(p, amount_[p]);
    }
    double amount(std::size_t pair) const { return amount_[pair]; }

   private:
    friend class PairChoices;
    Structure chosen_;
    Vector amount_;  // how much each pair is linked; then padding
    double constant_ = 1;
  };

  static constexpr bool sums = true;  // at any temperature

  double solve(const Scores& scores, double output_temperature, double latent_temperature, Counts& counts);

  // See spanning_forest.h. A partition links all pairs of its clusters.
  static std::size_t links(const Partition& y) { return pairs_together(y); }
  static bool determines(const Partition&) { return true; }
  static Structure structure(const Partition& y);
  template <class F>
  static void for_each_link(const Structure& s, F&& f) {
    std::size_t pair = 0;
    for (Index j = 1; pair < s.size(); ++j)
      for (Index i = 0; i < j; ++i, ++pair)
        if (s[pair]) f(i, j);
  }
  static Partition partition(std::size_t items, const Structure& s);

  static void for_each_structure(const Scores& scores, const std::function<void(const Structure&)>& f);

 private:
  Vector logarithm_;
};

}  // namespace hinge
