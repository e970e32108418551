// A set of labels for each sparse row, as a graph whose nodes are the labels, 1 where the label is in the set:
//
//     <w, φ(x, s)> = Σ_l s_l Σ_j x_j w[j L + l] + Σ over pairs e = (a, b) of w[F L + 4 e + 2 s_a + s_b]
//     Δ(y, s) = the number of labels that differ, or their share
//
// With F features (a bias among them) and L labels. Without pairs these are L classifiers side by side.
#pragma once

#include "hinge/core/workspace.h"
#include "hinge/inference/counted_graph.h"
#include "hinge/oracle/query.h"
#include "hinge/oracle/task.h"
#include "hinge/tasks/hamming.h"
#include "hinge/tasks/svmlight.h"

namespace hinge {

// What the data says of a set: 1, 0 or kUnknown for each label of training, and how many others it has, which
// every answer misses.
struct LabelSet {
  Labels states;
  std::size_t unseen = 0;
};

class MultilabelTask {
 public:
  using Input = SparseRow;
  using Label = LabelSet;
  using Structure = Assignment;
  using Engine = CountedGraphEngine;

  MultilabelTask(Index features, Index labels, std::vector<Graph::Edge> pairs, bool normalised = false,
                 const GraphSettings& settings = {});

  const Graph& graph() const { return graph_; }
  const GraphSettings& settings() const { return settings_; }
  Index features() const { return features_; }
  Index labels() const { return static_cast<Index>(graph_.nodes()); }
  Index dimension() const { return features_ * labels() + 4 * static_cast<Index>(graph_.edges()); }

  double loss(const LabelSet& y, const Assignment& s) const { return hamming_(y.states, s) + missed(y); }
  bool determined(const LabelSet& y) const { return fully_known(y.states) && y.unseen == 0; }
  const Assignment& structure(const LabelSet& y) const { return y.states; }

  void score(const SparseRow& x, Weights w, GraphScores& scores) const;
  void add_loss(const LabelSet& y, double weight, GraphScores& scores) const;
  void hide(const LabelSet& y, GraphScores& scores) const {
    for (std::size_t l = 0; l < y.states.size(); ++l)
      if (y.states[l] == kUnknown) scores.hide(l);
  }
  void forbid(const LabelSet& y, GraphScores& scores) const {
    for (std::size_t l = 0; l < y.states.size(); ++l)
      if (y.states[l] != kUnknown) scores.observe(l, y.states[l]);
  }
  template <class Sink>
  void features(const SparseRow& x, const GraphCounts& counts, Sink& sink) const;

  // Slack rescaling counts errors exactly, or not at all.
  std::string refusal(const Query& query) const;
  double work(const SparseRow& x) const;

 private:
  double missed(const LabelSet& y) const { return static_cast<double>(y.unseen) * hamming_.unit(y.states); }

  Index features_;
  Graph graph_;
  Hamming hamming_;
  GraphSettings settings_;
};

template <class Sink>
void MultilabelTask::features(const SparseRow& x, const GraphCounts& counts, Sink& sink) const {
  Vector& amounts = scratch<Vector, struct MultilabelAmounts>();
  std::vector<Index>& used =
      scratch<std::vector<Index>, struct MultilabelUsed>();  // an excess of one error uses one label
  amounts.resize(labels());
  used.clear();
  for (Index l = 0; l < labels(); ++l)
    if ((amounts[l] = counts.node(l)[1]) != 0) used.push_back(l);
  const bool few = 4 * used.size() < labels();
  for (std::size_t k = 0; k < x.index.size() && !used.empty(); ++k) {
    const Index first = x.index[k] * labels();
    const double value = x.value[k];
    if (few)
      for (const Index l : used) sink.add(first + l, value * amounts[l]);
    else
      sink.add_row(first, amounts, value);
  }
  for (std::size_t e = 0; e < graph_.edges(); ++e)
    sink.add_row(features_ * labels() + 4 * static_cast<Index>(e), {counts.edge(e), 4}, 1.0);
}

static_assert(HidingTask<MultilabelTask>);

}  // namespace hinge
