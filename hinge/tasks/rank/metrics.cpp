#include "hinge/tasks/rank/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "hinge/core/errors.h"
#include "hinge/core/smooth_max.h"
#include "hinge/core/workspace.h"

namespace hinge {
namespace {

// How many were added at each of n places, summed over prefixes (Fenwick 1994): both in log n.
class PrefixCounts {
 public:
  explicit PrefixCounts(std::size_t n) : tree_(n + 1, 0.0) {}
  void add(std::size_t place) {
    for (std::size_t k = place + 1; k < tree_.size(); k += k & -k) tree_[k] += 1;
  }
  double before(std::size_t place) const {
    double sum = 0;
    for (std::size_t k = place; k > 0; k -= k & -k) sum += tree_[k];
    return sum;
  }

 private:
  Vector tree_;
};

// Of the pairs whose grades differ, the share that the scores put the other way round, a tie counting half.
// The documents are gone through by ascending grade, each compared with all of lower grades at once.
double wrong_pairs(std::span<const double> scores, std::span<const double> grades) {
  const std::size_t n = grades.size();
  Vector sorted(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(n));
  std::ranges::sort(sorted);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return grades[i]; });
  const auto places = [&](std::size_t i) { return std::ranges::equal_range(sorted, scores[i]); };
  const auto place = [&](auto where) { return static_cast<std::size_t>(where - sorted.begin()); };

  PrefixCounts lower(n);  // documents of lower grades, by the place of their scores
  double wrong = 0, pairs = 0;
  for (std::size_t first = 0, end; first < n; first = end) {
    for (end = first; end < n && grades[order[end]] == grades[order[first]]; ++end) {
      const auto equal = places(order[end]);
      const double below = lower.before(place(equal.begin())), up_to = lower.before(place(equal.end()));
      const double all = static_cast<double>(first);
      pairs += all;
      wrong += (all - up_to) + 0.5 * (up_to - below);
    }
    for (std::size_t k = first; k < end; ++k) lower.add(place(places(order[k]).begin()));
  }
  return pairs == 0 ? 0 : wrong / pairs;
}

double wrong_signs(std::span<const double> scores, std::span<const double> grades, double relevant) {
  double wrong = 0;
  for (std::size_t i = 0; i < grades.size(); ++i) wrong += (scores[i] > 0) != (grades[i] >= relevant);
  return grades.empty() ? 0 : wrong / static_cast<double>(grades.size());
}

}  // namespace

QueryMetrics::QueryMetrics(std::span<const double> ranked, double least_relevant, std::size_t places)
    : precision(places), ndcg(places) {
  for (std::size_t j = 0; j < ranked.size(); ++j) {
    if (ranked[j] < least_relevant) continue;
    const double place = static_cast<double>(j + 1);
    if (++relevant == 1) reciprocal_rank = 1 / place;
    average_precision += static_cast<double>(relevant) / place;
    for (std::size_t k = j; k < places; ++k) precision[k] += 1;
  }
  if (relevant > 0) average_precision /= static_cast<double>(relevant);
  for (std::size_t k = 0; k < places; ++k) precision[k] /= static_cast<double>(k + 1);

  Vector best(ranked.begin(), ranked.end());
  std::ranges::sort(best, std::greater<>());
  gained = !best.empty() && gain(best.front()) > 0;
  double own = 0, ideal = 0;
  for (std::size_t j = 0; gained && j < places; ++j) {
    if (j < ranked.size()) {
      own += discount(j + 1) * gain(ranked[j]);
      ideal += discount(j + 1) * gain(best[j]);
    }
    ndcg[j] = own / ideal;
  }
}

double ranking_loss(const RankGoal& goal, std::span<const double> scores, std::span<const double> grades) {
  if (grades.empty()) return 0;
  if (goal.loss == RankLoss::pairs) return wrong_pairs(scores, grades);
  if (goal.loss == RankLoss::relevance) return wrong_signs(scores, grades, goal.relevant);
  if (goal.loss == RankLoss::listwise) {
    Vector share(grades.begin(), grades.end());
    smooth_max(share, 1, share);
    return 1 - share[arg_max(scores)];
  }
  std::vector<Index>& order = scratch<std::vector<Index>, struct MetricsOrder>();
  Vector& ranked = scratch<Vector, struct MetricsRanked>();
  rank_by_score(scores, order);
  ranked.clear();
  for (Index i : order) ranked.push_back(grades[i]);
  const QueryMetrics metrics(ranked, goal.relevant, goal.at);
  const double k = static_cast<double>(goal.at), relevant = static_cast<double>(metrics.relevant);
  switch (goal.loss) {
    case RankLoss::precision:
      return std::min(1.0, relevant / k) - metrics.precision.back();
    case RankLoss::ndcg:
      return metrics.gained ? 1 - metrics.ndcg.back() : 0;
    default:
      return relevant > 0 ? 1 - metrics.average_precision : 0;
  }
}

std::optional<MeasuredQuery> measure_query(const RankGoal& goal, std::span<const double> scores,
                                           std::span<const double> grades, std::size_t places) {
  if (grades.empty()) return {};
  scores = scores.first(grades.size());
  std::vector<Index> order;
  Vector ranked;
  rank_by_score(scores, order);
  for (const Index k : order) ranked.push_back(grades[k]);
  return MeasuredQuery{QueryMetrics(ranked, goal.relevant, places), ranking_loss(goal, scores, grades)};
}

void RankMetrics::add(const std::optional<MeasuredQuery>& measured) {
  if (!measured) {
    ++ungraded_;
    return;
  }
  const QueryMetrics& query = measured->metrics;
  ++queries_;
  without_relevant_ += query.relevant == 0;
  loss_ += measured->loss;
  map_ += query.average_precision;
  mrr_ += query.reciprocal_rank;
  precision_.resize(places());
  ndcg_.resize(places());
  for (std::size_t k = 0; k < places(); ++k) {
    precision_[k] += query.precision[k];
    ndcg_[k] += query.ndcg[k];
  }
}

nlohmann::json RankMetrics::json() const {
  if (queries_ == 0) fail("no document has a grade, so that there is nothing to compare rankings with.");
  const auto n = static_cast<double>(queries_);
  nlohmann::json metrics = {
      {"queries", queries_}, {"ungraded", ungraded_},         {"without_relevant", without_relevant_},
      {"loss", loss_ / n},   {"accuracy", precision_[0] / n}, {"map", map_ / n},
      {"mrr", mrr_ / n}};
  for (std::size_t k = 1; k <= places(); ++k) {
    if (k > kPlaces && k != at_) continue;
    metrics[fmt::format("precision@{}", k)] = precision_[k - 1] / n;
    metrics[fmt::format("ndcg@{}", k)] = ndcg_[k - 1] / n;
  }
  return metrics;
}

std::string rank_report(const nlohmann::json& metrics) {
  std::string text = fmt::format("{} queries   mean loss {:.4f}   map {:.4f}   mrr {:.4f}\n",
                                 metrics.at("queries").get<std::size_t>(), metrics.at("loss").get<double>(),
                                 metrics.at("map").get<double>(), metrics.at("mrr").get<double>());
  if (const auto none = metrics.at("without_relevant").get<std::size_t>(); none > 0)
    text += fmt::format("{} of them have no relevant document and count 0\n", none);
  text += "\n   k  precision@k   ndcg@k\n";
  std::vector<std::size_t> places;
  for (const auto& [name, value] : metrics.items())
    if (name.starts_with("ndcg@")) places.push_back(std::stoul(name.substr(5)));
  std::ranges::sort(places);
  for (std::size_t k : places)
    text += fmt::format("{:>4}       {:.4f}   {:.4f}\n", k,
                        metrics.at(fmt::format("precision@{}", k)).get<double>(),
                        metrics.at(fmt::format("ndcg@{}", k)).get<double>());
  return text;
}

}  // namespace hinge
