#include "hinge/tasks/rank/judgement.h"

#include <algorithm>

#include "hinge/inference/comparisons.h"
#include "hinge/inference/interleaving.h"
#include "hinge/inference/top_k.h"

namespace hinge {
namespace {

// The place of each grade among those that there are, from the lowest.
std::vector<Index> numbered(std::span<const double> grade) {
  std::vector<double> sorted(grade.begin(), grade.end());
  std::ranges::sort(sorted);
  sorted.erase(std::ranges::unique(sorted).begin(), sorted.end());
  std::vector<Index> numbers;
  for (double g : grade)
    numbers.push_back(static_cast<Index>(std::ranges::lower_bound(sorted, g) - sorted.begin()));
  return numbers;
}

std::vector<Index> relevance(std::span<const double> grade, double relevant) {
  std::vector<Index> flags;
  for (double g : grade) flags.push_back(g >= relevant ? 1 : 0);
  return flags;
}

// Whether tiers leave open who is used how much: places that count differently, or one that counts and one
// that does not, within one tier.
bool open(std::span<const Index> tier, std::span<const double> position) {
  std::vector<Index> sorted(tier.begin(), tier.end());
  std::ranges::sort(sorted, std::greater<>());
  const auto amount = [&](std::size_t j) { return j < position.size() ? position[j] : 0.0; };
  for (std::size_t j = 1; j < sorted.size(); ++j)
    if (sorted[j] == sorted[j - 1] && amount(j) != amount(j - 1)) return true;
  return false;
}

// Sets what the first places of an order gain: gain_i for each unit of its amount.
void judge_places(const RankGoal& goal, Judgement& y) {
  const std::vector<double> all = positions(goal);
  const std::span<const double> position = std::span(all).first(std::min(all.size(), y.grade.size()));
  const bool graded = goal.loss == RankLoss::ndcg;
  y.tier = graded ? numbered(y.grade) : relevance(y.grade, goal.relevant);
  for (std::size_t i = 0; i < y.grade.size(); ++i) y.gain.push_back(graded ? gain(y.grade[i]) : y.tier[i]);

  ItemScores scores;
  scores.reset(y.grade.size());
  scores.position = position;
  scores.tier = y.tier;
  ItemCounts counts;
  TopK().solve(scores, 0, 0, counts);
  y.best = dot(y.gain, counts.amounts());
  if (graded && y.best > 0) {
    for (double& g : y.gain) g /= y.best;
    y.best = 1;
  }
  y.determined = !open(y.tier, position);
  if (y.determined) y.own = counts.structure();
}

}  // namespace

std::vector<double> positions(const RankGoal& goal) {
  if (goal.loss == RankLoss::listwise) return {1};
  if (goal.loss == RankLoss::precision) return std::vector<double>(goal.at, 1 / static_cast<double>(goal.at));
  std::vector<double> result;
  if (goal.loss != RankLoss::ndcg) return result;
  double sum = 0;
  for (std::size_t j = 1; j <= goal.at; ++j) sum += discount(j);
  for (std::size_t j = 1; j <= goal.at; ++j) result.push_back(discount(j) / sum);
  return result;
}

std::vector<Index> levels(const RankGoal& goal, std::span<const double> grade) {
  if (goal.loss == RankLoss::pairs) return numbered(grade);
  if (goal.loss == RankLoss::map) return relevance(grade, goal.relevant);
  return {};
}

Judgement judge(const RankGoal& goal, std::vector<double> grade) {
  Judgement y;
  y.grade = std::move(grade);
  switch (goal.loss) {
    case RankLoss::pairs:
      y.own = Comparisons::truth(levels(goal, y.grade));
      break;
    case RankLoss::map:
      y.own = Interleaving::truth(levels(goal, y.grade));
      break;
    case RankLoss::listwise:
      y.own.amount = y.grade;
      if (!y.grade.empty()) smooth_max(y.grade, 1, y.own.amount);
      y.gain = y.own.amount;
      y.best = y.grade.empty() ? 0 : 1;
      break;
    case RankLoss::relevance:
      for (Index flag : relevance(y.grade, goal.relevant)) {
        y.own.amount.push_back(flag);
        y.gain.push_back(flag == 1 ? 1 : -1);
        y.best += flag;
      }
      break;
    case RankLoss::precision:
    case RankLoss::ndcg:
      judge_places(goal, y);
  }
  return y;
}

double query_weight(const RankGoal& goal, const Judgement& y) {
  const double terms = goal.loss == RankLoss::pairs       ? Comparisons::pairs(levels(goal, y.grade))
                       : goal.loss == RankLoss::relevance ? static_cast<double>(y.grade.size())
                                                          : 1;
  return 1 / std::max(terms, 1.0);
}

bool indifferent(const RankGoal& goal, const Judgement& y) {
  if (y.grade.empty()) return true;
  if (goal.loss == RankLoss::listwise || goal.loss == RankLoss::relevance) return false;
  if (goal.loss == RankLoss::precision && y.grade.size() <= goal.at) return true;  // all are among the first
  const bool graded = goal.loss == RankLoss::ndcg || goal.loss == RankLoss::pairs;
  const std::vector<Index> kind = graded ? numbered(y.grade) : relevance(y.grade, goal.relevant);
  return std::ranges::count(kind, kind.front()) == std::ssize(kind);
}

}  // namespace hinge
