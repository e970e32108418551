#include "hinge/inference/top_k.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "hinge/core/log_sum.h"

namespace hinge {

double TopK::solve(const ItemScores& scores, double temperature, double /*latent*/, ItemCounts& counts) {
  assert(scores.position.size() <= scores.value.size());
  if (scores.only != nullptr) return counts.take(scores);
  ItemUse& use = counts.clear(scores.value.size());
  if (scores.position.empty()) return scores.constant;
  return scores.constant +
         (temperature == 0 ? best_order(scores, use) : sum_over_sets(scores, temperature, use));
}

double TopK::best_order(const ItemScores& scores, ItemUse& use) {
  const std::span<const double> value = scores.value;
  const std::span<const Index> tier = scores.tier;
  const std::span<const double> position = scores.position;
  order_.resize(value.size());
  std::iota(order_.begin(), order_.end(), Index{0});
  const auto before = [&](Index a, Index b) {
    if (!tier.empty() && tier[a] != tier[b]) return tier[a] > tier[b];
    return value[a] != value[b] ? value[a] > value[b] : a < b;
  };
  std::partial_sort(order_.begin(), order_.begin() + std::ssize(position), order_.end(), before);
  double sum = 0;
  for (std::size_t j = 0; j < position.size(); ++j) {
    use.amount[order_[j]] = position[j];
    sum += position[j] * value[order_[j]];
  }
  return sum;
}

// Whole tiers are in; of the last one that has room, `places` of the items in order_ are.
double TopK::sum_over_sets(const ItemScores& scores, double temperature, ItemUse& use) {
  assert(level_positions(scores.position));
  const double d = scores.position.front();
  std::size_t places = scores.position.size();
  order_.resize(scores.value.size());
  std::iota(order_.begin(), order_.end(), Index{0});
  double sum = 0;
  if (!scores.tier.empty()) {
    const std::span<const Index> tier = scores.tier;
    std::nth_element(order_.begin(), order_.begin() + std::ssize(scores.position) - 1, order_.end(),
                     [&](Index a, Index b) { return tier[a] > tier[b]; });
    const Index last = tier[order_[places - 1]];
    order_.clear();
    for (Index i = 0; i < tier.size(); ++i) {
      if (tier[i] == last) order_.push_back(i);
      if (tier[i] <= last) continue;
      use.amount[i] = d;
      sum += d * scores.value[i];
      --places;
    }
  }

  // forward_[i][j]: log of the sum over sets of j of the first i items; backward_[i][j]: of the others.
  const std::size_t items = order_.size(), columns = places + 1;
  forward_.assign((items + 1) * columns, kForbidden);
  backward_.assign((items + 1) * columns, kForbidden);
  const auto energy = [&](std::size_t i) { return d * scores.value[order_[i]] / temperature; };
  forward_[0] = backward_[items * columns] = 0;
  for (std::size_t i = 0; i < items; ++i) {
    const double* from = forward_.data() + i * columns;
    double* to = forward_.data() + (i + 1) * columns;
    to[0] = 0;
    for (std::size_t j = 1; j <= std::min(i + 1, places); ++j)
      to[j] = log_sum(from[j], from[j - 1] + energy(i));
  }
  for (std::size_t i = items; i-- > 0;) {
    const double* from = backward_.data() + (i + 1) * columns;
    double* to = backward_.data() + i * columns;
    to[0] = 0;
    for (std::size_t j = 1; j <= std::min(items - i, places); ++j)
      to[j] = log_sum(from[j], from[j - 1] + energy(i));
  }
  const double total = forward_[items * columns + places];
  for (std::size_t i = 0; i < items; ++i) {
    const double* left = forward_.data() + i * columns;
    const double* right = backward_.data() + (i + 1) * columns;
    double probability = 0;
    for (std::size_t j = 0; j < places; ++j)
      probability += std::exp(left[j] + energy(i) + right[places - 1 - j] - total);
    use.amount[order_[i]] = d * probability;
  }
  return sum + temperature * total;
}

double TopK::structures(const ItemScores& scores) {
  const std::span<const double> position = scores.position;
  double count = 1;
  std::size_t alike = 0;  // places before j that count as it does
  for (std::size_t j = 0; j < position.size(); ++j) {
    alike = j > 0 && position[j] == position[j - 1] ? alike + 1 : 0;
    count *= static_cast<double>(scores.value.size() - j) / static_cast<double>(alike + 1);
  }
  return count;
}

}  // namespace hinge
