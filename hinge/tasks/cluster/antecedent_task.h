// Antecedent trees: every item links to one earlier item or begins a cluster,
//
//     <w, φ(x, s)> = Σ over items j that link to an earlier item a_j of <w, x_{a_j j}>
//     Δ(y, s)      = Σ_j ( [j has earlier items of its cluster in y, and a_j is none of them]
//                          + r [a_j is of another cluster] )
//
// which is the loss of spanning forests (cluster_task.h), for such trees are forests. Items choose
// independently, so that every pair of temperatures is served exactly in O(pairs). The output of an item is
// the label's cluster to which it links; which of its items it links to is hidden.
#pragma once

#include "hinge/inference/grouped_choices.h"
#include "hinge/inference/pair_scores.h"
#include "hinge/oracle/task.h"
#include "hinge/tasks/cluster/document.h"

namespace hinge {

class AntecedentTask {
 public:
  using Input = Document;
  using Label = Partition;
  using Structure = Choices;  // option k < j of item j is the item j − 1 − k, option j begins a cluster
  using Engine = GroupedChoices;
  static constexpr const char* no_slack =
      "the loss of clusters has no exact search for slack rescaling: use `rescaling` margin.";

  AntecedentTask(Index dimension, double link_penalty) : dimension_(dimension), link_penalty_(link_penalty) {}

  Index dimension() const { return dimension_; }

  double loss(const Partition& y, const Choices& s) const;
  // With clusters of one item alone nothing is hidden: every group of antecedents is one item.
  bool determined(const Partition& y) const { return cluster_count(y) == y.size(); }
  Choices structure(const Partition& y) const;  // each item links to the last one of its cluster
  Partition partition(const Document& x, const Choices& s) const;

  void score(const Document& x, Weights w, GroupedScores& scores) const;
  void add_loss(const Partition& y, double weight, GroupedScores& scores) const;
  void forbid(const Partition& y, GroupedScores& scores) const;
  void hide(const Partition& y, GroupedScores& scores) const;

  template <class Sink>
  void features(const Document& x, const GroupedCounts& counts, Sink& sink) const {
    PairFeatures features(x);
    counts.for_each_use([&](std::size_t j, std::size_t k, double amount) {
      if (k < j) features.add(first_pair(j) + j - 1 - k, amount);
    });
    features.pour(dimension_, sink);
  }

  // From the first item to the last: the cluster so far, or a new one, with the best T_τ over its items. The
  // option of the best item there; of every item alone when τ = 0.
  Choices predict(const Document& x, Weights w, double latent_temperature) const;

  // Zero weights, where links are equal and trees are chains in the order of the items.
  Vector start(std::span<const Example<AntecedentTask>>, std::span<const std::size_t>,
               std::size_t attempt) const {
    return attempt == 0 ? Vector(dimension_) : Vector{};
  }

  static double weight(std::size_t) { return 1; }  // see cluster_task.h
  double work(const Document& x) const {
    return static_cast<double>(x.rows.attribute.size() + 8 * x.row_of.size());
  }

 private:
  Index dimension_;
  double link_penalty_;
};

static_assert(HidingTask<AntecedentTask>);

}  // namespace hinge
