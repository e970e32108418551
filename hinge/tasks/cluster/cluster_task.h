// Clusters of the items of a document, made by links between pairs of them:
//
//     <w, φ(x, s)> = Σ over links (i, j) of s of <w, x_ij>
//     Δ(y, s)      = links(y) − right(s) + r · wrong(s)
//
// where right and wrong count the links within clusters of the label and those across, and links(y) is what a
// structure of the label has of them. Which links a structure has is the engine's matter:
//
// | engine                | links                                                      | source |
// |-----------------------|------------------------------------------------------------|------------------------|
// | SpanningForest        | trees, hidden but for the clusters that they span; Δ is    | Yu & Joachims 2009 |
// |                       | their eq. 8, with r = 1 or smaller                         | | |
// CorrelationClustering | all pairs of a cluster; approximate                        | Finley & Joachims 2005
// | | PairChoices           | each pair by itself                                        | |
//
// Where links are all pairs of a cluster, an example's weight should be 2 / (n − 1): then a document of n
// items weighs n, as it does for trees (`weight`).
#pragma once

#include <string>
#include <type_traits>

#include "hinge/inference/correlation_clustering.h"
#include "hinge/inference/pair_choices.h"
#include "hinge/inference/spanning_forest.h"
#include "hinge/oracle/query.h"
#include "hinge/oracle/task.h"
#include "hinge/tasks/cluster/document.h"

namespace hinge {

template <class E>
class ClusterTask {
 public:
  using Input = Document;
  using Label = Partition;
  using Structure = typename E::Structure;
  using Engine = E;
  static constexpr const char* no_slack =
      "the loss of clusters has no exact search for slack rescaling: use `rescaling` margin.";

  ClusterTask(Index dimension, double link_penalty) : dimension_(dimension), link_penalty_(link_penalty) {}

  Index dimension() const { return dimension_; }

  double loss(const Partition& y, const Structure& s) const {
    std::size_t right = 0, wrong = 0;
    E::for_each_link(s, [&](Index i, Index j) { ++(y[i] == y[j] ? right : wrong); });
    return static_cast<double>(E::links(y) - right) + link_penalty_ * static_cast<double>(wrong);
  }
  bool determined(const Partition& y) const { return E::determines(y); }
  Structure structure(const Partition& y) const { return E::structure(y); }
  Partition partition(const Document& x, const Structure& s) const { return E::partition(x.items, s); }

  void score(const Document& x, Weights w, typename E::Scores& scores) const {
    scores.shape(x.items);
    score_pairs(x, w, scores.values());
  }
  void add_loss(const Partition& y, double weight, typename E::Scores& scores) const {
    const double missing = -weight, wrong = weight * link_penalty_;
    scores.constant += weight * static_cast<double>(E::links(y));
    for (std::size_t j = 1; j < y.size(); ++j) {
      double* row = scores.row(j);
      const Index own = y[j];
      for (std::size_t i = 0; i < j; ++i) row[i] += y[i] == own ? missing : wrong;
    }
  }
  void forbid(const Partition& y, typename E::Scores& scores) const { scores.only = &y; }

  template <class Sink>
  void features(const Document& x, const typename E::Counts& counts, Sink& sink) const {
    PairFeatures features(x);
    counts.for_each_use([&](std::size_t pair, double amount) { features.add(pair, amount); });
    features.pour(dimension_, sink);
  }

  static double weight(std::size_t items) {
    return std::is_same_v<E, SpanningForest> || items < 2 ? 1 : 2 / static_cast<double>(items - 1);
  }

  std::string refusal(const Query& query) const {
    if (E::sums || query.hard()) return {};
    return "forests and correlation clustering are found, not summed over: use `method` ssvm or lssvm, or "
           "`structure` antecedents, which serves every method.";
  }

  // Zero weights, where links are equal and trees are chains in the order of the items.
  Vector start(std::span<const Example<ClusterTask>>, std::span<const std::size_t>,
               std::size_t attempt) const {
    return attempt == 0 ? Vector(dimension_) : Vector{};
  }

  double work(const Document& x) const {
    return static_cast<double>(x.rows.attribute.size() + 4 * x.row_of.size());
  }

 private:
  Index dimension_;
  double link_penalty_;
};

using ForestTask = ClusterTask<SpanningForest>;
using CorrelationTask = ClusterTask<CorrelationClustering>;
using PairwiseTask = ClusterTask<PairChoices>;

}  // namespace hinge
