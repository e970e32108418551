// A task of parts that Python has written, for one of the engines: a FactoredTask (oracle/task.h) whose inputs and
// labels are numbers of examples, so that no object of Python's is copied or destroyed outside of the lock.
//
// Python's task has score(x, w), features(x, counts), loss_parts(y), admitted(y) and perhaps hidden(y), which give and
// take arrays of parts: `unary` (nodes, states) and `pairwise`, as the engine has them.
#pragma once

#include <numeric>

#include "hinge/inference/chain.h"
#include "hinge/inference/choice.h"
#include "hinge/inference/graph_engine.h"
#include "hinge/oracle/task.h"
#include "plain_oracle.h"

namespace hinge::python {

// Arrays of parts of one example.
struct PartArrays {
  std::size_t nodes = 0, states = 0;
  std::vector<Graph::Edge> edges;       // of graphs
  std::vector<double> unary, pairwise;  // (nodes, states); (states, states), or one of these for each edge

  double& at(std::size_t node, std::size_t state) { return unary[node * states + state]; }
  double at(std::size_t node, std::size_t state) const { return unary[node * states + state]; }
};

// What the engines differ in.
template <class E>
struct Form;

template <>
struct Form<Choice> {
  static constexpr const char* name = "choice";
  static std::size_t tables(const PartArrays&) { return 0; }
  static Index structure(const std::vector<int>& states) { return static_cast<Index>(states[0]); }
  static void fill(const PartArrays& parts, const Graph*, Choice::Scores& scores) {
    scores.value = parts.unary;
  }
  static void read(const Choice::Counts& counts, PartArrays& out) {
    if (counts.soft()) {
      out.unary.assign(counts.amounts().begin(), counts.amounts().end());
    } else {
      for (const auto& [state, amount] : counts.uses()) out.unary[state] += amount;
    }
  }
  static double* node(Choice::Scores& scores, std::size_t) { return scores.value.data(); }
};

template <>
struct Form<Chain> {
  static constexpr const char* name = "chain";
  static std::size_t tables(const PartArrays&) { return 1; }
  static Path structure(const std::vector<int>& states) { return states; }
  static void fill(const PartArrays& parts, const Graph*, ChainScores& scores) {
    scores.shape(parts.nodes, parts.states);
    for (std::size_t t = 0; t < parts.nodes; ++t)
      std::copy_n(parts.unary.data() + t * parts.states, parts.states, scores.node(t));
    for (std::size_t a = 0; a < parts.states; ++a)
      std::copy_n(parts.pairwise.data() + a * parts.states, parts.states, scores.edge(a));
  }
  static void read(const ChainCounts& counts, PartArrays& out) {
    counts.for_each_node(
        [&](std::size_t t, int k, double amount) { out.at(t, static_cast<std::size_t>(k)) += amount; });
    counts.for_each_edge([&](int a, int b, double amount) {
      out.pairwise[static_cast<std::size_t>(a) * out.states + static_cast<std::size_t>(b)] += amount;
    });
  }
  static void hide(ChainScores& scores, std::size_t t) { scores.hide(t); }
  static double* node(ChainScores& scores, std::size_t t) { return scores.node(t); }
};

template <>
struct Form<GraphEngine> {
  static constexpr const char* name = "graph";
  static std::size_t tables(const PartArrays& parts) { return parts.edges.size(); }
  static Assignment structure(const std::vector<int>& states) { return states; }
  static void fill(const PartArrays& parts, const Graph* graph, GraphScores& scores) {
    scores.shape(*graph);
    std::ranges::copy(parts.unary, scores.node(0));
    if (!parts.edges.empty()) std::ranges::copy(parts.pairwise, scores.edge(0));
  }
  static void read(const GraphCounts& counts, PartArrays& out) {
    std::copy_n(counts.node(0), out.unary.size(), out.unary.begin());
    if (!out.edges.empty()) std::copy_n(counts.edge(0), out.pairwise.size(), out.pairwise.begin());
  }
  static void hide(GraphScores& scores, std::size_t i) { scores.hide(i); }
  static double* node(GraphScores& scores, std::size_t i) { return scores.node(i); }
};

// What Python's task says in arrays, with the lock; see parts_task.cpp.
class PythonParts {
 public:
  PythonParts(nb::object task, nb::list X, nb::list y, std::string engine);

  Index dimension() const { return dimension_; }
  PartArrays score(std::size_t i, Weights w) const;
  const PartArrays& loss(std::size_t i) const { return loss_[i]; }
  const PartArrays& admitted(std::size_t i) const { return admitted_[i]; }  // 1 or 0
  const std::vector<char>& hidden(std::size_t i) const { return hidden_[i]; }
  void features(std::size_t i, const PartArrays& counts, SparseVector& out) const;

 private:
  PartArrays read(nb::handle arrays, const char* what, std::size_t i, const PartArrays* like) const;

  nb::object task_;
  nb::list X_, y_;
  std::string engine_;
  Index dimension_ = 0;
  std::vector<PartArrays> loss_, admitted_;
  std::vector<std::vector<char>> hidden_;
};

template <class E>
class PartsTask {
 public:
  using Input = std::size_t;
  using Label = std::size_t;
  using Structure = typename E::Structure;
  using Engine = E;

  explicit PartsTask(const PythonParts& python, std::size_t examples) : python_(python), graph_(examples) {
    for (std::size_t i = 0; i < examples; ++i) {
      const PartArrays& parts = python.admitted(i);
      if constexpr (std::same_as<E, GraphEngine>)
        graph_[i] = std::make_unique<Graph>(std::vector<Index>(parts.nodes, static_cast<Index>(parts.states)),
                                            parts.edges);
    }
  }

  Index dimension() const { return python_.dimension(); }
  bool determined(Label i) const {
    const PartArrays& open = python_.admitted(i);
    for (std::size_t t = 0; t < open.nodes; ++t)
      if (std::accumulate(open.unary.begin() + static_cast<std::ptrdiff_t>(t * open.states),
                          open.unary.begin() + static_cast<std::ptrdiff_t>((t + 1) * open.states), 0.0) != 1)
        return false;
    return true;
  }
  Structure structure(Label i) const {
    const PartArrays& open = python_.admitted(i);
    std::vector<int> states(open.nodes);
    for (std::size_t t = 0; t < open.nodes; ++t)
      while (open.at(t, static_cast<std::size_t>(states[t])) == 0) ++states[t];
    return Form<E>::structure(states);
  }
  double loss(Label i, const Structure& s) const {
    typename E::Scores scores;
    Form<E>::fill(python_.loss(i), graph_[i].get(), scores);
    return scores.of(s);
  }

  void score(Input i, Weights w, typename E::Scores& scores) const {
    Form<E>::fill(python_.score(i, w), graph_[i].get(), scores);
  }
  void add_loss(Label i, double weight, typename E::Scores& scores) const {
    const PartArrays& parts = python_.loss(i);
    for (std::size_t t = 0; t < parts.nodes; ++t)
      for (std::size_t k = 0; k < parts.states; ++k) Form<E>::node(scores, t)[k] += weight * parts.at(t, k);
  }
  void forbid(Label i, typename E::Scores& scores) const {
    const PartArrays& parts = python_.admitted(i);
    for (std::size_t t = 0; t < parts.nodes; ++t)
      for (std::size_t k = 0; k < parts.states; ++k)
        if (parts.at(t, k) == 0) Form<E>::node(scores, t)[k] = kForbidden;
  }
  void hide(Label i, typename E::Scores& scores) const
    requires(!std::same_as<E, Choice>)
  {
    const std::vector<char>& hidden = python_.hidden(i);
    for (std::size_t t = 0; t < hidden.size(); ++t)
      if (hidden[t]) Form<E>::hide(scores, t);
  }

  template <class Sink>
  void features(Input i, const typename E::Counts& counts, Sink& sink) const {
    PartArrays parts = python_.admitted(i);
    std::ranges::fill(parts.unary, 0.0);
    parts.pairwise.assign(Form<E>::tables(parts) * parts.states * parts.states, 0.0);
    Form<E>::read(counts, parts);
    SparseVector found;
    python_.features(i, parts, found);
    for (std::size_t k = 0; k < found.size(); ++k) sink.add(found.indices()[k], found.values()[k]);
  }

 private:
  const PythonParts& python_;
  std::vector<std::unique_ptr<Graph>> graph_;
};

}  // namespace hinge::python
