#include "hinge/tasks/rank/goal.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hinge/core/errors.h"

namespace hinge {
const std::vector<std::string>& rank_losses() {
  static const std::vector<std::string> names = {"pairs",     "listwise", "relevance",
                                                 "precision", "ndcg",     "map"};
  return names;
}

RankLoss rank_loss(const std::string& name) {
  const auto found = std::ranges::find(rank_losses(), name);
  if (found == rank_losses().end()) fail("there is no ranking loss '{}'.", name);
  return static_cast<RankLoss>(found - rank_losses().begin());
}

double gain(double grade) { return std::exp2(grade) - 1; }

double discount(std::size_t place) { return place <= 2 ? 1 : 1 / std::log2(static_cast<double>(place)); }

void rank_by_score(std::span<const double> scores, std::vector<Index>& order) {
  order.resize(scores.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order,
                    [&](Index a, Index b) { return scores[a] != scores[b] ? scores[a] > scores[b] : a < b; });
}

}  // namespace hinge
