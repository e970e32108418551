// What engines that choose among scored items share. A structure uses each item by some amount, and may have
// a cost of its own that the engine knows:
//
//     score(s) = constant + Σ_i amount_i · value_i + cost_weight · cost
//
// Counts are the amounts of the winner, or their mean.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "hinge/core/smooth_max.h"

namespace hinge {

struct ItemUse {
  std::vector<double> amount;
  double cost = 0;
  friend bool operator==(const ItemUse&, const ItemUse&) = default;
};

struct ItemScores {
  std::vector<double> value;
  double constant = 0, cost_weight = 0;
  std::span<const Index> level;      // Comparisons, Interleaving: what is above what
  std::span<const double> position;  // TopK: how much each place counts
  std::span<const Index> tier;       // TopK: items of higher tiers must come first; empty: any order
  const ItemUse* only = nullptr;     // the one structure that is not forbidden; null: any

  // Forgets all but the storage. Spans and pointers are to be set anew.
  void reset(std::size_t items) {
    value.resize(items);
    constant = cost_weight = 0;
    level = {};
    position = {};
    tier = {};
    only = nullptr;
  }

  // Scores nothing, of the same shape.
  void clear() {
    std::ranges::fill(value, 0.0);
    constant = cost_weight = 0;
    only = nullptr;
  }

  // The items, then the constant and the cost.
  std::size_t parts() const { return value.size() + 2; }
  void get(std::span<double> out) const {
    std::ranges::copy(value, out.begin());
    out[value.size()] = constant;
    out[value.size() + 1] = cost_weight;
  }
  void set(std::span<const double> in) {
    value.assign(in.begin(), in.end() - 2);
    constant = in[value.size()];
    cost_weight = in[value.size() + 1];
  }

  double of(const ItemUse& s) const {
    if ((only != nullptr && s != *only) || !respects_tiers(s)) return kForbidden;
    return constant + dot(s.amount, value) + (s.cost == 0 ? 0 : cost_weight * s.cost);
  }

 private:
  bool respects_tiers(const ItemUse& s) const {
    for (std::size_t a = 0; a < tier.size(); ++a)
      for (std::size_t b = 0; b < tier.size(); ++b)
        if (tier[a] > tier[b] && s.amount[a] < s.amount[b]) return false;
    return true;
  }
};

class ItemCounts {
 public:
  const ItemUse& structure() const { return use_; }
  ItemUse most_probable() const { return use_; }  // the mean: amounts need not be whole
  std::span<const double> amounts() const { return use_.amount; }

  void subtract(const ItemUse& s) {
    for (std::size_t i = 0; i < s.amount.size(); ++i) use_.amount[i] -= s.amount[i];
    use_.cost -= s.cost;
    constant_ -= 1;
  }

  void get(std::span<double> out) const {
    std::ranges::copy(use_.amount, out.begin());
    out[use_.amount.size()] = constant_;
    out[use_.amount.size() + 1] = use_.cost;
  }
  void set(const ItemScores&, std::span<const double> in) {
    use_.amount.assign(in.begin(), in.end() - 2);
    constant_ = in[use_.amount.size()];
    use_.cost = in.back();
  }
  void scale(double factor) {
    for (double& amount : use_.amount) amount *= factor;
    use_.cost *= factor;
    constant_ *= factor;
  }

  // For engines: all zero, to be filled.
  ItemUse& clear(std::size_t items) {
    use_.amount.assign(items, 0.0);
    use_.cost = 0;
    constant_ = 1;
    return use_;
  }
  // The one structure of the scores.
  double take(const ItemScores& scores) {
    use_.amount.assign(scores.only->amount.begin(), scores.only->amount.end());
    use_.cost = scores.only->cost;
    constant_ = 1;
    return scores.of(use_);
  }

 private:
  ItemUse use_;
  double constant_ = 1;
};

}  // namespace hinge
