// The reference for every engine: answers by going through all structures, one by one.
//
//     solve(scores, τ)                      = T_τ over s of scores(s)
//     solve_slack(scores, losses, reference) = max over s of losses(s) (1 + scores(s) − reference)
//     mean(other)                           = Σ_s p(s) other(s),   p the gradient of the last solve
//
// `mean` is what an engine's counts must give for any other scores of the same shape, so that counts are
// compared without looking into them. Cost: the number of structures times the cost of `of`.
#pragma once

#include <vector>

#include "hinge/core/smooth_max.h"

namespace hinge {

// An engine that lists the structures of scores of a shape: for_each_structure(scores, f) calls f(structure)
// for each, also for those that the scores forbid. For small shapes.
template <class E>
concept Enumerable = requires(const E& engine, const typename E::Scores& scores) {
  engine.for_each_structure(scores, [](const typename E::Structure&) {});
};

template <Enumerable E>
class Enumeration {
 public:
  using Scores = typename E::Scores;
  using Structure = typename E::Structure;

  Enumeration(const E& engine, const Scores& shape) {
    engine.for_each_structure(shape, [this](const Structure& s) { structures_.push_back(s); });
  }

  const std::vector<Structure>& structures() const { return structures_; }
  const Structure& winner() const { return structures_[arg_max(probability_)]; }

  double solve(const Scores& scores, double temperature) {
    for_all([&](const Structure& s) { return scores.of(s); });
    return smooth_max(probability_, temperature, probability_);
  }

  double solve_slack(const Scores& scores, const Scores& losses, double reference) {
    for_all([&](const Structure& s) {
      const double score = scores.of(s);
      return score == kForbidden ? kForbidden : losses.of(s) * (1 + score - reference);
    });
    return smooth_max(probability_, 0, probability_);
  }

  double mean(const Scores& other) const {
    double sum = 0;
    for (std::size_t s = 0; s < structures_.size(); ++s)
      if (probability_[s] > 0) sum += probability_[s] * other.of(structures_[s]);
    return sum;
  }

 private:
  template <class F>
  void for_all(F&& value) {
    probability_.clear();
    for (const Structure& s : structures_) probability_.push_back(value(s));
  }

  std::vector<Structure> structures_;
  std::vector<double> probability_;
};

}  // namespace hinge
