#include "hinge/inference/interleaving.h"

#include <cassert>
#include <cmath>

namespace hinge {

void Interleaving::use_of(std::span<const Index> level, std::span<const Index> ranking, ItemUse& use) {
  const auto good = static_cast<double>(std::ranges::count(level, Index{1}));
  const double bad = static_cast<double>(level.size()) - good;
  if (good == 0 || bad == 0) return;
  use.cost = 0;
  double good_before = 0, bad_before = 0;
  for (const Index i : ranking) {
    if (level[i] == 1) {
      ++good_before;
      use.amount[i] = (bad - 2 * bad_before) / (good * bad);
      use.cost += bad_before / (good_before + bad_before) / good;
    } else {
      ++bad_before;
      use.amount[i] = (good - 2 * good_before) / (good * bad);
    }
  }
}

ItemUse Interleaving::truth(std::span<const Index> level) {
  std::vector<Index> ranking(level.size());
  std::iota(ranking.begin(), ranking.end(), Index{0});
  std::ranges::stable_sort(ranking, std::greater<>(), [&](Index i) { return level[i]; });
  ItemUse use{std::vector<double>(level.size()), 0};
  use_of(level, ranking, use);
  return use;
}

double Interleaving::structures(const ItemScores& scores) {
  return std::tgamma(static_cast<double>(scores.value.size()) + 1);
}

double Interleaving::solve(const ItemScores& scores, [[maybe_unused]] double temperature, double /*latent*/,
                           ItemCounts& counts) {
  assert(temperature == 0);
  if (scores.only != nullptr) return counts.take(scores);
  const std::span<const double> value = scores.value;
  ItemUse& use = counts.clear(value.size());
  good_.clear();
  bad_.clear();
  for (Index i = 0; i < value.size(); ++i) (scores.level[i] == 1 ? good_ : bad_).push_back(i);
  if (good_.empty() || bad_.empty()) return scores.constant;
  const auto before = [&](Index a, Index b) { return value[a] != value[b] ? value[a] > value[b] : a < b; };
  std::ranges::sort(good_, before);
  std::ranges::sort(bad_, before);

  const double good = static_cast<double>(good_.size()), bad = static_cast<double>(bad_.size());
  const double lost = scores.cost_weight / good, swapped = 2 / (good * bad);
  ranking_.clear();
  std::size_t first = 0;  // good items before the last bad one: the next one goes there or further down
  for (std::size_t j = 0; j < bad_.size(); ++j) {
    const double own = value[bad_[j]], rank = static_cast<double>(j + 1);
    double gain = 0, best = 0;
    std::size_t place = good_.size();
    for (std::size_t i = good_.size(); i-- > first;) {
      const double at = static_cast<double>(i + 1);
      gain += lost * at / ((at + rank - 1) * (at + rank)) - swapped * (value[good_[i]] - own);
      if (gain > best) best = gain, place = i;
    }
    while (first < place) ranking_.push_back(good_[first++]);
    ranking_.push_back(bad_[j]);
  }
  while (first < good_.size()) ranking_.push_back(good_[first++]);
  use_of(scores.level, ranking_, use);
  return scores.of(use);
}

}  // namespace hinge
