#include "hinge/inference/comparisons.h"

#include <algorithm>
#include <numeric>

namespace hinge {

double Comparisons::pairs(std::span<const Index> level) {
  std::vector<double> of_level;
  for (Index l : level) {
    if (l >= of_level.size()) of_level.resize(l + 1);
    ++of_level[l];
  }
  double sum = 0, lower = 0;
  for (double items : of_level) {
    sum += items * lower;
    lower += items;
  }
  return sum;
}

ItemUse Comparisons::truth(std::span<const Index> level) {
  ItemUse use{std::vector<double>(level.size()), 0};
  for_each_pair(level, [&](std::size_t i, std::size_t j) { use.amount[i] += 1, use.amount[j] -= 1; });
  return use;
}

std::size_t Comparisons::below(Index level) const {
  std::size_t sum = 0;
  for (std::size_t k = level; k > 0; k &= k - 1) sum += tree_[k];
  return sum;
}

void Comparisons::count(Index level) {
  for (std::size_t k = level + 1; k < tree_.size(); k += k & (~k + 1)) ++tree_[k];
}

double Comparisons::solve(const ItemScores& scores, double temperature, double /*latent*/,
                          ItemCounts& counts) {
  if (scores.only != nullptr) return counts.take(scores);
  ItemUse& use = counts.clear(scores.value.size());
  if (temperature > 0) return decide_softly(scores, temperature, use);
  decide(scores, use);
  return scores.of(use);
}

double Comparisons::decide_softly(const ItemScores& scores, double temperature, ItemUse& use) const {
  double sum = scores.constant;
  for_each_pair(scores.level, [&](std::size_t i, std::size_t j) {
    const double right = scores.value[i] - scores.value[j], wrong = scores.cost_weight;
    const double odds = std::exp(-std::abs(right - wrong) / temperature);
    const double share = (right > wrong ? 1 : odds) / (1 + odds);
    use.amount[i] += share;
    use.amount[j] -= share;
    use.cost += 1 - share;
    sum += std::max(right, wrong) + temperature * std::log1p(odds);
  });
  return sum;
}

// A pair is right where value[i] − value[j] ≥ margin. Upwards along the sorted items, each wins over a
// growing front of lower ones; downwards, each loses to a growing front of higher ones.
void Comparisons::decide(const ItemScores& scores, ItemUse& use) {
  const std::span<const double> value = scores.value;
  const std::span<const Index> level = scores.level;
  const double margin = scores.cost_weight;
  const std::size_t n = value.size(), levels = n == 0 ? 0 : std::ranges::max(level) + std::size_t{1};
  order_.resize(n);
  std::iota(order_.begin(), order_.end(), Index{0});
  std::ranges::sort(order_, [&](Index a, Index b) { return value[a] < value[b]; });

  double right = 0, all = 0;
  tree_.assign(levels + 1, 0);
  for (std::size_t k = 0, front = 0; k < n; ++k) {
    const Index i = order_[k];
    for (; front < n && value[i] - value[order_[front]] >= margin; ++front) count(level[order_[front]]);
    const auto wins = static_cast<double>(below(level[i]));
    use.amount[i] += wins;
    right += wins;
  }
  tree_.assign(levels + 1, 0);
  for (std::size_t k = n, front = n; k-- > 0;) {
    const Index j = order_[k];
    for (; front > 0 && value[order_[front - 1]] - value[j] >= margin; --front)
      count(level[order_[front - 1]]);
    use.amount[j] -= static_cast<double>(n - front - below(level[j] + 1));
  }
  tree_.assign(levels + 1, 0);
  for (Index l : level) count(l);
  for (Index l : level) all += static_cast<double>(below(l));
  use.cost = all - right;
}

}  // namespace hinge
