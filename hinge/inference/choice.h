// One variable with K states, scored f_1 … f_K:
//
//     solve:        T_τ over s of f_s                              counts: the softmax, or the first winner
//     solve_slack:  max over s of Δ_s (1 + f_s − reference)        counts: the first winner
//
// It is an output variable, so that τ is the output temperature. O(K); states scored −∞ are forbidden.
//
//     hinge::Choice::Scores scores;
//     scores.value = {0.5, 2, 1};
//     hinge::Choice::Counts counts;
//     const double best = hinge::Choice().solve(scores, 0, 0, counts);  // 2, by counts.structure() = 1
//     hinge::Choice().solve(scores, 1, 1, counts);                      // counts.amounts() is the softmax
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <span>
#include <utility>
#include <vector>

#include "hinge/core/smooth_max.h"
#include "hinge/inference/answer.h"

namespace hinge {

class Choice : public AlwaysExact {
 public:
  using Structure = Index;  // the chosen state

  struct Scores {
    std::vector<double> value;

    double of(Index s) const { return value[s]; }
    std::size_t parts() const { return value.size(); }
    void get(std::span<double> out) const { std::ranges::copy(value, out.begin()); }
    void set(std::span<const double> in) { value.assign(in.begin(), in.end()); }
    void clear() { std::ranges::fill(value, 0.0); }
  };

  // How much of each state is used. After a hard solve only the winner is, and one more state once a
  // reference has been subtracted: these are listed, and nothing of size K is touched.
  class Counts {
   public:
    struct Use {
      Index state;
      double amount;
    };

    Index structure() const { return winner_; }
    Index most_probable() const { return soft_ ? static_cast<Index>(arg_max(amounts_)) : winner_; }
    bool soft() const { return soft_; }
    std::span<const double> amounts() const { return amounts_; }               // of every state, when soft
    std::span<const Use> uses() const { return {uses_.data(), uses_count_}; }  // ascending, when not soft

    void subtract(Index s) {
      if (soft_) {
        amounts_[s] -= 1;
      } else if (uses_count_ == 0) {
        uses_[uses_count_++] = {s, -1};
      } else if (uses_[0].state == s) {
        assert(uses_count_ == 1);
        uses_[0].amount -= 1;
        if (uses_[0].amount == 0) uses_count_ = 0;
      } else {
        assert(uses_count_ == 1);
        uses_[uses_count_++] = {s, -1};
        if (s < uses_[0].state) std::swap(uses_[0], uses_[1]);
      }
    }
    void get(std::span<double> out) const { std::ranges::copy(amounts_, out.begin()); }  // when soft
    void set(const Scores&, std::span<const double> in) {
      soft_ = true;
      amounts_.assign(in.begin(), in.end());
    }
    void scale(double factor) {
      if (soft_)
        for (double& amount : amounts_) amount *= factor;
      else
        for (std::size_t k = 0; k < uses_count_; ++k) uses_[k].amount *= factor;
    }

   private:
    friend class Choice;
    void win(Index s, bool possible) {
      soft_ = false;
      winner_ = s;
      uses_[0] = {s, 1};
      uses_count_ = possible ? 1 : 0;
    }

    bool soft_ = false;
    Index winner_ = 0;
    std::array<Use, 2> uses_;
    std::size_t uses_count_ = 0;
    std::vector<double> amounts_;
  };

  double solve(const Scores& scores, double output_temperature, double /*latent*/, Counts& counts) const {
    if (output_temperature == 0) {
      const std::size_t best = arg_max(scores.value);
      counts.win(static_cast<Index>(best), scores.value[best] != kForbidden);
      return scores.value[best];
    }
    counts.soft_ = true;
    counts.amounts_.resize(scores.value.size());
    return smooth_max(scores.value, output_temperature, counts.amounts_);
  }

  double solve_slack(const Scores& scores, const Scores& losses, double reference, Counts& counts) const {
    double best = kForbidden;
    Index winner = 0;
    for (Index s = 0; s < scores.value.size(); ++s) {
      if (scores.value[s] == kForbidden) continue;  // 0 · −∞ is no number
      const double value = losses.value[s] * (1 + scores.value[s] - reference);
      if (value > best) best = value, winner = s;
    }
    counts.win(winner, best != kForbidden);
    return best;
  }

  template <class F>
  void for_each_structure(const Scores& scores, F&& f) const {
    for (Index s = 0; s < scores.value.size(); ++s) f(s);
  }
};

}  // namespace hinge
