#include "hinge/inference/counted_comparisons.h"

#include <algorithm>
#include <tuple>

#include "hinge/core/errors.h"

namespace hinge {

double CountedComparisons::solve_slack(const ItemScores& scores, const ItemScores& losses, double reference,
                                       ItemCounts& counts) {
  if (pairs(scores.level) > static_cast<double>(kMostPairs))
    fail("slack rescaling sorts all {:.0f} pairs of a sample, more than {}: use margin rescaling.",
         pairs(scores.level), kMostPairs);
  ItemUse& use = counts.clear(scores.value.size());
  pairs_.clear();
  for (Index i = 0; i < scores.value.size(); ++i)
    for (Index j = 0; j < scores.value.size(); ++j)
      if (scores.level[i] > scores.level[j]) pairs_.push_back({scores.value[i] - scores.value[j], i, j});
  std::ranges::sort(pairs_, [](const Pair& p, const Pair& q) {
    return std::tie(p.difference, p.better, p.worse) < std::tie(q.difference, q.better, q.worse);
  });
  double right = scores.constant;  // the score of all pairs that are not wrong yet
  for (const Pair& pair : pairs_) right += pair.difference;
  const double slack = 1 + right - reference;
  double best = 0, wrong = 0;
  std::size_t count = 0;
  for (std::size_t k = 1; k <= pairs_.size(); ++k) {
    wrong += pairs_[k - 1].difference;
    const double value = losses.cost_weight * static_cast<double>(k) * (slack - wrong);
    if (value > best) best = value, count = k;
  }
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    if (k < count) continue;
    use.amount[pairs_[k].better] += 1;
    use.amount[pairs_[k].worse] -= 1;
  }
  use.cost = static_cast<double>(count);
  return best;
}

}  // namespace hinge
