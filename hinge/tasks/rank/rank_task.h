// Ranking the documents of a query by their scores f_i = <w, x_i>, as a structured task: structures use
// documents by amounts (judgement.h), so that
//
//     <w, φ(x, s)> = Σ_i amount_i(s) <w, x_i>
//
// For precision at k this is the model of Yu & Joachims 2009, section 5.3; for pairs the ranking SVM
// (Herbrich 2000, Joachims 2002), for map that of Yue et al. 2007, for listwise with method crf ListNet (Cao
// et al. 2007), for relevance a binary SVM (or logistic regression) with a bias.
#pragma once

#include <algorithm>

#include "hinge/inference/comparisons.h"
#include "hinge/inference/interleaving.h"
#include "hinge/inference/subset.h"
#include "hinge/inference/top_k.h"
#include "hinge/oracle/query.h"
#include "hinge/oracle/task.h"
#include "hinge/tasks/rank/documents.h"
#include "hinge/tasks/rank/judgement.h"

namespace hinge {

template <class E>
class RankTask {
 public:
  using Input = Documents;
  using Label = Judgement;
  using Structure = ItemUse;
  using Engine = E;
  static constexpr const char* no_slack =
      "the loss of rankings has no exact search for slack rescaling: use `rescaling` margin.";

  static constexpr bool kBias = std::same_as<E, Subset>;

  RankTask(Index features, std::vector<double> positions)
      : features_(features), positions_(std::move(positions)) {}

  Index dimension() const { return features_ + (kBias ? 1 : 0); }

  bool determined(const Judgement& y) const { return y.determined; }
  const ItemUse& structure(const Judgement& y) const { return y.own; }
  double loss(const Judgement& y, const ItemUse& s) const {
    if (y.determined && s == y.own) return 0;
    return std::max(y.best - (y.gain.empty() ? 0 : dot(y.gain, s.amount)) + s.cost, 0.0);
  }

  void score(const Documents& x, Weights w, ItemScores& scores) const {
    scores.reset(x.judged());
    x.score(w.first(features_), scores.value);
    if constexpr (kBias)
      for (double& f : scores.value) f += w[features_];
    scores.level = x.level;
    scores.position = std::span(positions_).first(std::min(positions_.size(), x.judged()));
  }
  void add_loss(const Judgement& y, double weight, ItemScores& scores) const {
    scores.constant += weight * y.best;
    scores.cost_weight = weight;
    for (std::size_t i = 0; i < y.gain.size(); ++i) scores.value[i] -= weight * y.gain[i];
  }
  void forbid(const Judgement& y, ItemScores& scores) const {
    if (y.determined)
      scores.only = &y.own;
    else
      scores.tier = y.tier;
  }

  template <class Sink>
  void features(const Documents& x, const ItemCounts& counts, Sink& sink) const {
    x.pour(counts.amounts(), sink);
    if constexpr (kBias) {
      double sum = 0;
      for (double amount : counts.amounts()) sum += amount;
      sink.add(features_, sum);
    }
  }

  std::string refusal(const Query& query) const {
    const bool sums =
        query.output_temperature > 0 || (query.side == Side::clamped && query.latent_temperature > 0);
    if (std::same_as<E, Interleaving> && sums)
      return "average precision has no sum over rankings: use ssvm, or `loss` pairs.";
    if (std::same_as<E, TopK> && sums && !TopK::level_positions(positions_))
      return "ndcg has no sum over orders, which is a permanent: use lssvm, or `loss` precision or listwise.";
    return {};
  }

  double work(const Documents& x) const { return 2 * static_cast<double>(x.entries() + 8 * x.size()); }

 private:
  Index features_;
  std::vector<double> positions_;
};

static_assert(FactoredTask<RankTask<TopK>> && FactoredTask<RankTask<FirstPlace>> &&
              FactoredTask<RankTask<Subset>> && FactoredTask<RankTask<Comparisons>> &&
              FactoredTask<RankTask<Interleaving>>);

// Calls f(task) with the task of a goal.
template <class F>
auto with_rank_task(const RankGoal& goal, Index features, F&& f) {
  switch (goal.loss) {
    case RankLoss::pairs:
      return f(RankTask<Comparisons>(features, {}));
    case RankLoss::listwise:
      return f(RankTask<FirstPlace>(features, positions(goal)));
    case RankLoss::relevance:
      return f(RankTask<Subset>(features, {}));
    case RankLoss::map:
      return f(RankTask<Interleaving>(features, {}));
    case RankLoss::precision:
    case RankLoss::ndcg:
      break;
  }
  return f(RankTask<TopK>(features, positions(goal)));
}

}  // namespace hinge
