// Labels for the nodes of a graph:
//
//     <w, φ(x, s)> = Σ_i Σ_f x_i[f] w[kind(i), f, s_i] + Σ_e Σ_f x_e[f] w[kind(e), f, s_from(e), s_to(e)]
//
// Where only agreement counts, an edge scores Σ_f x_e[f] w[kind(e), f, s_from(e)] if its ends are equal, with w ≥ 0.
// A node whose label is unknown, or one of several, is hidden in that example; a node of a hidden kind is hidden always.
// Weights stand kind by kind: those of nodes (feature, state), then those of edges (feature, cell; see schema.h).
#pragma once

#include <cassert>

#include "hinge/core/kernels.h"
#include "hinge/core/workspace.h"
#include "hinge/inference/graph_engine.h"
#include "hinge/inference/graph_settings.h"
#include "hinge/tasks/graph/graph_input.h"
#include "hinge/tasks/graph/schema.h"
#include "hinge/tasks/graph/symmetric.h"
#include "hinge/tasks/hamming.h"

namespace hinge {

class GraphTask {
  static auto rows_of(GraphScores& scores) {
    return [&](std::size_t i) { return std::span(scores.node(i), scores.graph().states(i)); };
  }

 public:
  using Input = GraphInput;
  using Label = Labels;
  using Structure = Assignment;
  using Engine = GraphEngine;
  static constexpr const char* no_slack =
      "the loss of graphs has no exact search for slack rescaling: use `rescaling` margin.";

  GraphTask(const GraphSchema& schema, Hamming hamming, const GraphSettings& settings = {});

  Index dimension() const { return dimension_; }
  std::vector<Index> nonnegative() const;
  const GraphSettings& settings() const { return settings_; }
  double loss(const Labels& y, const Assignment& s) const { return hamming_(y, s); }
  bool determined(const Labels& y) const { return fully_known(y); }
  const Assignment& structure(const Labels& y) const { return y; }

  void score(const GraphInput& x, Weights w, GraphScores& scores) const;

  void add_loss(const Labels& y, double weight, GraphScores& scores) const {
    hamming_.add(y, weight, rows_of(scores));
  }
  void hide(const Labels& y, GraphScores& scores) const {
    for (std::size_t i = 0; i < y.size(); ++i)
      if (y[i] == kUnknown) scores.hide(i);
  }
  void forbid(const Labels& y, GraphScores& scores) const {
    for (std::size_t i = 0; i < y.size(); ++i)
      if (y[i] >= 0) scores.observe(i, y[i]);
    hamming_.forbid_outside_sets(y, rows_of(scores));
  }

  template <class Sink>
  void features(const GraphInput& x, const GraphCounts& counts, Sink& sink) const;

  // Scoring and features go row by row; messages pass over each edge's table in both directions, several
  // times.
  double work(const GraphInput& x) const;

 private:
  struct NodeBlock {
    std::size_t begin, states;
    bool hidden;
  };
  struct EdgeBlock {
    std::size_t begin, cells, from, to;  // numbers of states
    bool symmetric;
  };
  // Where the cell of states (a, b) of an edge stands among its weights is the same as in its table, unless the kind
  // is symmetric (each pair once) or only agreement counts (each state once): then they are folded.
  bool folds(const EdgeBlock& block) const { return block.symmetric || agreement_; }
  // f(cell of the folded weights, state from, state to), for every pair of states that has a weight.
  template <class F>
  void for_each_folded(const EdgeBlock& block, F&& f) const {
    for (std::size_t a = 0, c = 0; a < block.from; ++a)
      for (std::size_t b = agreement_ ? a : 0; b <= a; ++b, ++c) f(c, a, b);
  }

  // Pours amounts[c] · value of each feature of row t into begin + feature · cells + c.
  template <class Sink>
  static void pour(const FeatureRows& rows, std::size_t t, std::size_t begin, std::span<const double> amounts,
                   Sink& sink);

  std::vector<NodeBlock> nodes_;
  std::vector<EdgeBlock> edges_;
  Hamming hamming_;
  GraphSettings settings_;
  Index dimension_ = 0;
  bool agreement_;
};

template <class Sink>
void GraphTask::pour(const FeatureRows& rows, std::size_t t, std::size_t begin,
                     std::span<const double> amounts, Sink& sink) {
  std::vector<Index>& used =
      scratch<std::vector<Index>, struct GraphTaskUsed>();  // a hard answer uses one cell or two
  used.clear();
  for (std::size_t c = 0; c < amounts.size(); ++c)
    if (amounts[c] != 0) used.push_back(static_cast<Index>(c));
  const bool few = 4 * used.size() < amounts.size();
  for (std::size_t k = rows.start[t]; k < rows.start[t + 1] && !used.empty(); ++k) {
    const auto first = static_cast<Index>(begin + rows.attribute[k] * amounts.size());
    const double value = rows.value_of(k);
    if (few)
      for (const Index c : used) sink.add(first + c, value * amounts[c]);
    else
      sink.add_row(first, amounts, value);
  }
}

template <class Sink>
void GraphTask::features(const GraphInput& x, const GraphCounts& counts, Sink& sink) const {
  for (std::size_t i = 0; i < x.node_kind.size(); ++i) {
    const NodeBlock& block = nodes_[x.node_kind[i]];
    pour(x.nodes, i, block.begin, {counts.node(i), block.states}, sink);
  }
  Vector& folded = scratch<Vector, struct GraphTaskFolded>();
  for (std::size_t e = 0; e < x.edge_kind.size(); ++e) {
    const EdgeBlock& block = edges_[x.edge_kind[e]];
    const double* table = counts.edge(e);
    if (folds(block)) {
      folded.resize(block.cells);
      for_each_folded(block, [&](std::size_t c, std::size_t a, std::size_t b) {
        folded[c] = table[a * block.to + b] + (a == b ? 0 : table[b * block.to + a]);
      });
      table = folded.data();
    }
    pour(x.edges, e, block.begin, {table, block.cells}, sink);
  }
}

}  // namespace hinge
