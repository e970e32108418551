// The reference for every engine: answers by going through all structures, one by one.
//
//     solve(scores, τ)                        = T_τ over s of scores(s)
//     solve(scores, τy, τh)                   = T_τy over outputs y of T_τh over the s that have them of scores(s)
//     solve_slack(scores, losses, reference)  = max over s of losses(s) (1 + scores(s) − reference)
//     mean(other)                             = Σ_s p(s) other(s),   p the gradient of the last solve
//
// `mean` is what an engine's counts must give for any other scores of the same shape, so that counts are
// compared without looking into them. Cost: the number of structures times the cost of `of`.
#pragma once

#include <algorithm>
#include <concepts>
#include <span>
#include <vector>

#include "hinge/core/smooth_max.h"

namespace hinge {

// An engine that lists the structures of scores of a shape: for_each_structure(scores, f) calls f(structure)
// for each, also for those that the scores forbid. For small shapes.
template <class E>
concept Enumerable = requires(const E& engine, const typename E::Scores& scores) {
  engine.for_each_structure(scores, [](const typename E::Structure&) {});
};

// An engine some of whose parts may be hidden: outputs(scores, s) is s with its hidden parts blotted out, so
// that structures with the same outputs give equal answers.
template <class E>
concept HidingEngine =
    Enumerable<E> && requires(const typename E::Scores& scores, const typename E::Structure& s) {
      { E::outputs(scores, s) } -> std::equality_comparable;
    };

// T_τy over groups of T_τh within each; probability becomes its gradient. `group` numbers each value's group,
// from 0 on.
inline double grouped_smooth_max(std::span<const double> values, std::span<const std::size_t> group,
                                 double output_temperature, double latent_temperature,
                                 std::span<double> probability) {
  std::vector<std::vector<std::size_t>> members;
  for (std::size_t s = 0; s < group.size(); ++s) {
    if (group[s] >= members.size()) members.resize(group[s] + 1);
    members[group[s]].push_back(s);
  }
  std::vector<double> outer;
  std::vector<std::vector<double>> inner(members.size());
  for (std::size_t g = 0; g < members.size(); ++g) {
    for (std::size_t s : members[g]) inner[g].push_back(values[s]);
    outer.push_back(smooth_max(inner[g], latent_temperature, inner[g]));
  }
  const double value = smooth_max(outer, output_temperature, outer);
  for (std::size_t g = 0; g < members.size(); ++g)
    for (std::size_t k = 0; k < members[g].size(); ++k) probability[members[g][k]] = outer[g] * inner[g][k];
  return value;
}

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

  double solve(const Scores& scores, double output_temperature, double latent_temperature)
    requires HidingEngine<E>
  {
    for_all([&](const Structure& s) { return scores.of(s); });
    const std::vector<double> values = probability_;
    return grouped_smooth_max(values, groups(scores, structures_), output_temperature, latent_temperature,
                              probability_);
  }

  // The number of each structure's outputs, in order of first appearance.
  static std::vector<std::size_t> groups(const Scores& scores, const std::vector<Structure>& structures)
    requires HidingEngine<E>
  {
    std::vector<decltype(E::outputs(scores, structures[0]))> seen;
    std::vector<std::size_t> group;
    for (const Structure& s : structures) {
      const auto outputs = E::outputs(scores, s);
      const auto place = std::find(seen.begin(), seen.end(), outputs);
      group.push_back(static_cast<std::size_t>(place - seen.begin()));
      if (place == seen.end()) seen.push_back(outputs);
    }
    return group;
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
