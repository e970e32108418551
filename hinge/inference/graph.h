// A pairwise graph: nodes with states, each with its own number of them, and edges with a table each.
//
//     score(s) = Σ_i node_i[s_i] + Σ_e edge_e[s_from(e)][s_to(e)]
//
// Each node is an output, hidden, or observed. GraphEngine (graph_engine.h) answers
//
//     T_τy over the outputs of T_τh over the hidden nodes of score(s),     observed nodes fixed.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "hinge/core/smooth_max.h"

namespace hinge {

class GraphPlans;

// The shape: many scores share one, and what inference works out about it.
class Graph {
 public:
  struct Edge {
    Index from, to;
    friend bool operator==(const Edge&, const Edge&) = default;
  };

  // No loops, no edge twice (in either direction), every node has a state: the reader of a file says so in
  // its own words, this asserts it.
  Graph(std::vector<Index> states, std::vector<Edge> edges);

  std::size_t nodes() const { return states_.size(); }
  std::size_t edges() const { return edges_.size(); }
  std::size_t states(std::size_t i) const { return states_[i]; }
  const Edge& edge(std::size_t e) const { return edges_[e]; }
  std::span<const Edge> all_edges() const { return edges_; }
  // Where a node's or an edge's table begins; tables stand one behind the other.
  std::size_t node_begin(std::size_t i) const { return node_begin_[i]; }
  std::size_t edge_begin(std::size_t e) const { return edge_begin_[e]; }
  std::size_t node_cells() const { return node_begin_.back(); }
  std::size_t edge_cells() const { return edge_begin_.back(); }
  // Plans of elimination made so far (see graph_plan.h), shared by copies of the graph.
  GraphPlans& plans() const { return *plans_; }
  // The edges at a node.
  std::span<const Index> edges_at(std::size_t i) const {
    return {at_.data() + at_begin_[i], at_begin_[i + 1] - at_begin_[i]};
  }

 private:
  std::vector<Index> states_;
  std::vector<Edge> edges_;
  std::vector<std::size_t> node_begin_, edge_begin_, at_begin_;
  std::vector<Index> at_;
  std::shared_ptr<GraphPlans> plans_;
};

using Assignment = std::vector<int>;  // a state for each node

class GraphScores {
 public:
  static constexpr int kOpen = -1;  // not observed

  // All zero, every node an output. The graph must outlive the scores.
  void shape(const Graph& graph);
  void clear() { shape(*graph_); }

  const Graph& graph() const { return *graph_; }
  double* node(std::size_t i) { return node_.data() + graph_->node_begin(i); }
  const double* node(std::size_t i) const { return node_.data() + graph_->node_begin(i); }
  // edge(e)[a · states(to) + b]
  double* edge(std::size_t e) { return edge_.data() + graph_->edge_begin(e); }
  const double* edge(std::size_t e) const { return edge_.data() + graph_->edge_begin(e); }

  void hide(std::size_t i) { hidden_[i] = true; }
  void observe(std::size_t i, int state) { observed_[i] = state; }  // only this state is admitted
  bool hidden(std::size_t i) const { return hidden_[i]; }
  int observed(std::size_t i) const { return observed_[i]; }
  const std::vector<char>& hidden() const { return hidden_; }
  const std::vector<int>& observed() const { return observed_; }

  std::size_t parts() const { return node_.size() + edge_.size(); }
  void get(std::span<double> out) const;
  void set(std::span<const double> in);

  // kForbidden when it contradicts what is observed.
  double of(const Assignment& s) const;

 private:
  const Graph* graph_ = nullptr;
  Vector node_, edge_;
  std::vector<char> hidden_;
  std::vector<int> observed_;
};

// How often each state and each pair of states is used: by one assignment, or on average.
class GraphCounts {
 public:
  const Graph& graph() const { return *graph_; }
  const double* node(std::size_t i) const { return node_.data() + graph_->node_begin(i); }
  const double* edge(std::size_t e) const { return edge_.data() + graph_->edge_begin(e); }
  double* node(std::size_t i) { return node_.data() + graph_->node_begin(i); }
  double* edge(std::size_t e) { return edge_.data() + graph_->edge_begin(e); }

  // Whether they are those of `structure()` alone, less another assignment if one was subtracted: then most
  // are 0.
  bool hard() const { return hard_; }
  // After a solve with τy = 0: the winner, with hidden nodes at their most probable state.
  const Assignment& structure() const { return structure_; }
  Assignment most_probable() const;
  void subtract(const Assignment& s);
  void scale(double factor);
  void get(std::span<double> out) const;
  void set(const GraphScores& shape, std::span<const double> in);

  // All zero.
  void begin(const Graph& graph, bool hard);
  // Counts one assignment, which becomes structure().
  void use(const Assignment& s);
  Assignment& winner() { return structure_; }
  void find_winner() { structure_ = most_probable(); }

 private:
  const Graph* graph_ = nullptr;
  bool hard_ = false;
  Vector node_, edge_;
  Assignment structure_;
};

}  // namespace hinge
