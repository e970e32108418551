#include "hinge/inference/graph.h"

#include <algorithm>
#include <cassert>

#include "hinge/inference/graph_plans.h"

namespace hinge {

Graph::Graph(std::vector<Index> states, std::vector<Edge> edges)
    : states_(std::move(states)),
      edges_(std::move(edges)),
      node_begin_{0},
      edge_begin_{0},
      plans_(std::make_shared<GraphPlans>()) {
  for (Index k : states_) {
    assert(k > 0);
    node_begin_.push_back(node_begin_.back() + k);
  }
  std::vector<std::size_t> degree(nodes());
  for (const Edge& e : edges_) {
    assert(e.from != e.to && e.from < nodes() && e.to < nodes());
    edge_begin_.push_back(edge_begin_.back() + std::size_t{states_[e.from]} * states_[e.to]);
    ++degree[e.from], ++degree[e.to];
  }
  at_begin_.assign(nodes() + 1, 0);
  for (std::size_t i = 0; i < nodes(); ++i) at_begin_[i + 1] = at_begin_[i] + degree[i];
  at_.resize(at_begin_.back());
  std::vector<std::size_t> next(at_begin_.begin(), at_begin_.end() - 1);
  for (std::size_t e = 0; e < edges_.size(); ++e)
    for (Index i : {edges_[e].from, edges_[e].to}) at_[next[i]++] = static_cast<Index>(e);
}

void GraphScores::shape(const Graph& graph) {
  graph_ = &graph;
  node_.assign(graph.node_cells(), 0.0);
  edge_.assign(graph.edge_cells(), 0.0);
  hidden_.assign(graph.nodes(), false);
  observed_.assign(graph.nodes(), kOpen);
}

double GraphScores::of(const Assignment& s) const {
  double sum = 0;
  for (std::size_t i = 0; i < graph_->nodes(); ++i) {
    if (observed_[i] != kOpen && observed_[i] != s[i]) return kForbidden;
    sum += node(i)[s[i]];
  }
  for (std::size_t e = 0; e < graph_->edges(); ++e) {
    const auto [from, to] = graph_->edge(e);
    sum += edge(e)[static_cast<std::size_t>(s[from]) * graph_->states(to) + static_cast<std::size_t>(s[to])];
  }
  return sum;
}

void GraphScores::get(std::span<double> out) const {
  std::ranges::copy(edge_, std::ranges::copy(node_, out.begin()).out);
}

void GraphScores::set(std::span<const double> in) {
  std::ranges::copy(in.first(node_.size()), node_.begin());
  std::ranges::copy(in.subspan(node_.size()), edge_.begin());
}

void GraphCounts::get(std::span<double> out) const {
  std::ranges::copy(edge_, std::ranges::copy(node_, out.begin()).out);
}

void GraphCounts::set(const GraphScores& shape, std::span<const double> in) {
  begin(shape.graph(), false);
  std::ranges::copy(in.first(node_.size()), node_.begin());
  std::ranges::copy(in.subspan(node_.size()), edge_.begin());
}

void GraphCounts::begin(const Graph& graph, bool hard) {
  graph_ = &graph;
  hard_ = hard;
  node_.assign(graph.node_cells(), 0.0);
  edge_.assign(graph.edge_cells(), 0.0);
  structure_.assign(graph.nodes(), 0);
}

void GraphCounts::use(const Assignment& s) {
  structure_ = s;
  for (std::size_t i = 0; i < graph_->nodes(); ++i) node(i)[s[i]] += 1;
  for (std::size_t e = 0; e < graph_->edges(); ++e) {
    const auto [from, to] = graph_->edge(e);
    edge(e)[static_cast<std::size_t>(s[from]) * graph_->states(to) + static_cast<std::size_t>(s[to])] += 1;
  }
}

void GraphCounts::subtract(const Assignment& s) {
  for (std::size_t i = 0; i < graph_->nodes(); ++i) node(i)[s[i]] -= 1;
  for (std::size_t e = 0; e < graph_->edges(); ++e) {
    const auto [from, to] = graph_->edge(e);
    edge(e)[static_cast<std::size_t>(s[from]) * graph_->states(to) + static_cast<std::size_t>(s[to])] -= 1;
  }
}

void GraphCounts::scale(double factor) {
  for (double& amount : node_) amount *= factor;
  for (double& amount : edge_) amount *= factor;
}

Assignment GraphCounts::most_probable() const {
  if (hard_) return structure_;
  Assignment s(graph_->nodes());
  for (std::size_t i = 0; i < s.size(); ++i) s[i] = static_cast<int>(arg_max({node(i), graph_->states(i)}));
  return s;
}

}  // namespace hinge
