// Parts of an example as arrays, and how each engine that tasks in Python may have takes them.
//
//     Form<E>::fill(parts, shape, scores)        scores of parts
//     Form<E>::read(counts, shape, out)          counts of parts, of a shape that `out` has
//     Form<E>::add_loss(parts, shape, weight, scores), forbid(open, shape, scores), hide(scores, node)
//     Form<E>::admitted(open, shape)             a structure that the label admits, and whether it is the only one
#pragma once

#include <memory>
#include <numeric>
#include <optional>

#include "hinge/core/errors.h"
#include "hinge/inference/chain.h"
#include "hinge/inference/chart.h"
#include "hinge/inference/choice.h"
#include "hinge/inference/context_chain.h"
#include "hinge/inference/graph_engine.h"
#include "hinge/inference/pair_cells.h"
#include "hinge/inference/spanning_forest.h"

namespace hinge::python {

// The first table is `unary` (nodes, states): spans of trees, pairs of letters or of items stand there too.
struct PartArrays {
  std::size_t nodes = 0, states = 0;
  std::vector<Graph::Edge> edges;       // of graphs
  std::vector<double> unary, pairwise;  // (states, states), or one of these for each edge
  std::vector<double> ngrams;           // of context chains
  std::vector<double> first, second;    // of alignments: (letters, 2), gaps that begin and go on
  double constant = 0;                  // of losses

  double& at(std::size_t node, std::size_t state) { return unary[node * states + state]; }
  double at(std::size_t node, std::size_t state) const { return unary[node * states + state]; }
  bool has_pairs() const {
    const auto any = [](const std::vector<double>& v) {
      return std::ranges::any_of(v, [](double x) { return x != 0; });
    };
    return any(pairwise) || any(ngrams);
  }
  std::array<std::vector<double>*, 5> tables() { return {&unary, &pairwise, &ngrams, &first, &second}; }
};

// What an engine keeps of an example beside its scores.
struct PartShape {
  std::shared_ptr<const Graph> graph;
  std::shared_ptr<const ContextGraph> contexts;
  std::vector<std::size_t> order;  // the place of each of its n-grams in the task's list
  Partition clusters;              // that a label admits

  // Of context chains, what all examples share.
  void list(std::size_t states, const std::vector<Path>& ngrams) {
    contexts = std::make_shared<const ContextGraph>(states, ngrams);
    for (const Path& each : contexts->ngrams())
      order.push_back(static_cast<std::size_t>(std::ranges::find(ngrams, each) - ngrams.begin()));
  }
};

// What the engines differ in.
template <class E>
struct Form;

// Engines whose nodes each have one state.
template <class E>
struct NodeForm {
  static void add_nodes(const PartArrays& parts, double weight, typename E::Scores& scores) {
    for (std::size_t t = 0; t < parts.nodes; ++t)
      for (std::size_t k = 0; k < parts.states; ++k) Form<E>::node(scores, t)[k] += weight * parts.at(t, k);
  }
  static void forbid(const PartArrays& open, const PartShape&, typename E::Scores& scores) {
    for (std::size_t t = 0; t < open.nodes; ++t)
      for (std::size_t k = 0; k < open.states; ++k)
        if (open.at(t, k) == 0) Form<E>::node(scores, t)[k] = kForbidden;
  }
  // The first state that is open at each node.
  static std::pair<typename E::Structure, bool> admitted(const PartArrays& open, const PartShape&) {
    std::vector<int> states(open.nodes);
    double most = 0;
    for (std::size_t t = 0; t < open.nodes; ++t) {
      while (open.at(t, static_cast<std::size_t>(states[t])) == 0) ++states[t];
      const auto row = open.unary.begin() + static_cast<std::ptrdiff_t>(t * open.states);
      most = std::max(most, std::accumulate(row, row + static_cast<std::ptrdiff_t>(open.states), 0.0));
    }
    return {Form<E>::structure(states), most == 1};
  }
};

template <>
struct Form<Choice> : NodeForm<Choice> {
  static constexpr const char* name = "choice";
  static Index structure(const std::vector<int>& states) { return static_cast<Index>(states[0]); }
  static void shape(const PartArrays&, const std::vector<Path>&, PartShape&) {}
  static void fill(const PartArrays& parts, const PartShape&, Choice::Scores& scores) {
    scores.value = parts.unary;
  }
  static void read(const Choice::Counts& counts, const PartShape&, PartArrays& out) {
    if (counts.soft()) {
      out.unary.assign(counts.amounts().begin(), counts.amounts().end());
    } else {
      for (const auto& [state, amount] : counts.uses()) out.unary[state] += amount;
    }
  }
  static void add_loss(const PartArrays& parts, const PartShape&, double weight, Choice::Scores& scores) {
    add_nodes(parts, weight, scores);
  }
  static double* node(Choice::Scores& scores, std::size_t) { return scores.value.data(); }
};

template <>
struct Form<Chain> : NodeForm<Chain> {
  static constexpr const char* name = "chain";
  static Path structure(const std::vector<int>& states) { return states; }
  static void shape(const PartArrays&, const std::vector<Path>&, PartShape&) {}
  static void fill(const PartArrays& parts, const PartShape& shape, ChainScores& scores) {
    scores.shape(parts.nodes, parts.states);
    add_loss(parts, shape, 1, scores);
  }
  static void read(const ChainCounts& counts, const PartShape&, PartArrays& out) {
    counts.for_each_node(
        [&](std::size_t t, int k, double amount) { out.at(t, static_cast<std::size_t>(k)) += amount; });
    counts.for_each_edge([&](int a, int b, double amount) {
      out.pairwise[static_cast<std::size_t>(a) * out.states + static_cast<std::size_t>(b)] += amount;
    });
  }
  static void add_loss(const PartArrays& parts, const PartShape&, double weight, ChainScores& scores) {
    add_nodes(parts, weight, scores);
    for (std::size_t a = 0; a < parts.states; ++a)
      for (std::size_t b = 0; b < parts.states; ++b)
        scores.edge(a)[b] += weight * parts.pairwise[a * parts.states + b];
  }
  static void hide(ChainScores& scores, std::size_t t) { scores.hide(t); }
  static double* node(ChainScores& scores, std::size_t t) { return scores.node(t); }
};

template <>
struct Form<ContextChain> : NodeForm<ContextChain> {
  static constexpr const char* name = "context_chain";
  static Path structure(const std::vector<int>& states) { return states; }
  static void shape(const PartArrays& parts, const std::vector<Path>& ngrams, PartShape& shape) {
    if (shape.contexts == nullptr) shape.list(parts.states, ngrams);
    if (shape.contexts->labels() != parts.states)
      fail("examples have {} and {} states: n-grams need the same labels everywhere.",
           shape.contexts->labels(), parts.states);
  }
  static void fill(const PartArrays& parts, const PartShape& shape, ContextScores& scores) {
    scores.shape(parts.nodes, shape.contexts);
    const Vector none(parts.pairwise.size() + parts.ngrams.size(), 0.0);
    scores.set_patterns(none.data());
    add_loss(parts, shape, 1, scores);
  }
  static void read(const ContextCounts& counts, const PartShape& shape, PartArrays& out) {
    counts.for_each_node(
        [&](std::size_t t, int k, double amount) { out.at(t, static_cast<std::size_t>(k)) += amount; });
    if (out.nodes < 2) return;
    const std::size_t pairs = out.pairwise.size();
    counts.for_each_pattern([&](Index pattern, double amount) {
      (pattern < pairs ? out.pairwise[pattern] : out.ngrams[shape.order[pattern - pairs]]) += amount;
    });
  }
  static void add_loss(const PartArrays& parts, const PartShape& shape, double weight,
                       ContextScores& scores) {
    add_nodes(parts, weight, scores);
    if (!parts.has_pairs()) return;
    Vector patterns = scores.patterns();
    const std::size_t pairs = parts.pairwise.size();
    for (std::size_t p = 0; p < patterns.size(); ++p)
      patterns[p] += weight * (p < pairs ? parts.pairwise[p] : parts.ngrams[shape.order[p - pairs]]);
    scores.set_patterns(patterns.data());
  }
  static void hide(ContextScores& scores, std::size_t t) { scores.hide(t); }
  static double* node(ContextScores& scores, std::size_t t) { return scores.node(t); }
};

// Chains with tables of each step are graphs too.
template <>
struct Form<GraphEngine> : NodeForm<GraphEngine> {
  static constexpr const char* name = "graph";
  static Assignment structure(const std::vector<int>& states) { return states; }
  static void shape(const PartArrays& parts, const std::vector<Path>&, PartShape& shape) {
    shape.graph = std::make_shared<const Graph>(
        std::vector<Index>(parts.nodes, static_cast<Index>(parts.states)), parts.edges);
  }
  static void fill(const PartArrays& parts, const PartShape& shape, GraphScores& scores) {
    scores.shape(*shape.graph);
    std::ranges::copy(parts.unary, scores.node(0));
    if (!parts.edges.empty()) std::ranges::copy(parts.pairwise, scores.edge(0));
  }
  static void read(const GraphCounts& counts, const PartShape&, PartArrays& out) {
    std::copy_n(counts.node(0), out.unary.size(), out.unary.begin());
    if (!out.edges.empty()) std::copy_n(counts.edge(0), out.pairwise.size(), out.pairwise.begin());
  }
  static void add_loss(const PartArrays& parts, const PartShape&, double weight, GraphScores& scores) {
    add_nodes(parts, weight, scores);
    for (std::size_t c = 0; c < parts.pairwise.size(); ++c) scores.edge(0)[c] += weight * parts.pairwise[c];
  }
  static void hide(GraphScores& scores, std::size_t i) { scores.hide(i); }
  static double* node(GraphScores& scores, std::size_t i) { return scores.node(i); }
};

// Of engines that list their best: one structure that is admitted, and whether there is another.
template <class E>
std::pair<typename E::Structure, bool> admitted_by_listing(const PartArrays& open, const PartShape& shape) {
  PartArrays nothing = open;
  for (std::vector<double>* table : nothing.tables()) std::ranges::fill(*table, 0.0);
  typename E::Scores scores;
  Form<E>::fill(nothing, shape, scores);
  Form<E>::forbid(open, shape, scores);
  auto best = E().top(scores, 2);
  std::erase_if(best, [](const auto& each) { return each.second == kForbidden; });
  if (best.empty()) fail("it admits nothing: every {} is excluded.", Form<E>::structures);
  return {std::move(best[0].first), best.size() == 1};
}

// Binary trees over words, by scores of spans (first word, last word).
template <>
struct Form<Chart> {
  static constexpr const char *name = "trees", *structures = "tree";
  static const ChartGrammar& grammar() {
    static const ChartGrammar one(1, {1, 1}, 1, {{1, 0, 0, 0}, {1, 0, 1, 0}, {1, 1, 0, 0}, {1, 1, 1, 0}}, {});
    return one;
  }
  static void shape(const PartArrays& parts, const std::vector<Path>&, PartShape&) {
    if (parts.nodes != parts.states || parts.nodes < 2)
      fail("its spans have the shape ({}, {}): give (words, words), two words or more.", parts.nodes,
           parts.states);
  }
  template <class F>
  static void for_each_span(const PartArrays& parts, F&& f) {
    for (std::size_t i = 0; i < parts.nodes; ++i)
      for (std::size_t j = i; j < parts.nodes; ++j) f(i, j);
  }
  static void fill(const PartArrays& parts, const PartShape& shape, ChartScores& scores) {
    scores.shape(grammar(), parts.nodes);
    add_loss(parts, shape, 1, scores);
  }
  static void add_loss(const PartArrays& parts, const PartShape&, double weight, ChartScores& scores) {
    for_each_span(parts, [&](std::size_t i, std::size_t j) {
      scores.unary(i, j + 1)[ChartGrammar::kBare] += weight * parts.at(i, j);
    });
  }
  static void forbid(const PartArrays& open, const PartShape&, ChartScores& scores) {
    for_each_span(open, [&](std::size_t i, std::size_t j) {
      if (open.at(i, j) == 0) scores.unary(i, j + 1)[ChartGrammar::kBare] = kForbidden;
    });
  }
  static void read(const ChartCounts& counts, const PartShape&, PartArrays& out) {
    if (counts.hard())
      counts.for_each_step(
          [&](const ChartStep& step, double amount) { out.at(step.begin, step.end - 1) += amount; });
    else
      for_each_span(out, [&](std::size_t i, std::size_t j) {
        out.at(i, j) = counts.unary(i, j + 1)[ChartGrammar::kBare];
      });
  }
  static std::pair<ChartTree, bool> admitted(const PartArrays& open, const PartShape& shape) {
    return admitted_by_listing<Chart>(open, shape);
  }
};

// Alignments of two sequences: pairs of letters, and for each letter of both what a gap opposite scores.
template <>
struct Form<PairCells> {
  static constexpr const char *name = "alignment", *structures = "alignment";
  static void shape(const PartArrays&, const std::vector<Path>&, PartShape&) {}
  static void fill(const PartArrays& parts, const PartShape& shape, AlignmentScores& scores) {
    scores.shape(parts.nodes, parts.states, 1, parts.nodes + 1, false);
    for (std::size_t i = 0; i < parts.nodes; ++i) scores.rows_of(i)[0] = static_cast<Index>(i + 1);
    add_loss(parts, shape, 1, scores);
  }
  // f(number of the letter's gaps, number of the scores) of both sequences
  template <class Parts, class Gaps, class F>
  static void for_each_gap(Parts& parts, Gaps&& gaps, F&& f) {
    for (const AlignedSide side : {AlignedSide::x, AlignedSide::z}) {
      auto& own = side == AlignedSide::x ? parts.first : parts.second;
      for (std::size_t k = 0; 2 * k < own.size(); ++k) {
        f(own[2 * k], gaps(side).open[k]);
        f(own[2 * k + 1], gaps(side).extend[k]);
      }
    }
  }
  static void add_loss(const PartArrays& parts, const PartShape&, double weight, AlignmentScores& scores) {
    for (std::size_t i = 0; i < parts.nodes; ++i)
      for (std::size_t j = 0; j < parts.states; ++j) scores.row(i + 1)[j] += weight * parts.at(i, j);
    for_each_gap(
        parts, [&](AlignedSide side) -> GapParts& { return scores.gaps(side); },
        [&](double own, double& score) { score += weight * own; });
  }
  static void forbid(const PartArrays& open, const PartShape&, AlignmentScores& scores) {
    for (std::size_t i = 0; i < open.nodes; ++i)
      for (std::size_t j = 0; j < open.states; ++j)
        if (open.at(i, j) == 0) scores.row(i + 1)[j] = kForbidden;
    for_each_gap(
        open, [&](AlignedSide side) -> GapParts& { return scores.gaps(side); },
        [](double own, double& score) {
          if (own == 0) score = kForbidden;
        });
  }
  static void read(const AlignmentCounts& counts, const PartShape&, PartArrays& out) {
    if (!counts.hard()) {
      for (std::size_t i = 0; i < out.nodes; ++i)
        std::copy_n(counts.row(i + 1), out.states,
                    out.unary.begin() + static_cast<std::ptrdiff_t>(i * out.states));
      for_each_gap(
          out, [&](AlignedSide side) -> const GapParts& { return counts.gaps(side); },
          [](double& own, double amount) { own = amount; });
    }
    counts.for_each_use([&](std::size_t i, std::size_t j, double amount) { out.at(i, j) += amount; },
                        [&](AlignedSide side, std::size_t letter, std::size_t, bool opens, double amount) {
                          (side == AlignedSide::x ? out.first : out.second)[2 * letter + (opens ? 0 : 1)] +=
                              amount;
                        });
  }
  static std::pair<Partners, bool> admitted(const PartArrays& open, const PartShape& shape) {
    return admitted_by_listing<PairCells>(open, shape);
  }
};

// Forests of links between items, whose trees are clusters; those that a label admits are its links' components.
template <>
struct Form<SpanningForest> {
  static constexpr const char* name = "forest";
  template <class F>
  static void for_each_pair(const PartArrays& parts, F&& f) {
    for (std::size_t j = 1; j < parts.nodes; ++j)
      for (std::size_t i = 0; i < j; ++i) f(i, j);
  }
  static void shape(const PartArrays& open, const std::vector<Path>&, PartShape& shape) {
    if (open.nodes != open.states)
      fail("its pairs have the shape ({}, {}): give (items, items).", open.nodes, open.states);
    shape.clusters.resize(open.nodes);
    std::iota(shape.clusters.begin(), shape.clusters.end(), Index{0});
    for_each_pair(open, [&](std::size_t i, std::size_t j) {
      if (open.at(i, j) == 0 || shape.clusters[i] == shape.clusters[j]) return;
      const Index from = shape.clusters[j], to = shape.clusters[i];
      std::ranges::replace(shape.clusters, from, to);
    });
    shape.clusters = renumbered(std::move(shape.clusters));
  }
  static void fill(const PartArrays& parts, const PartShape& shape, SpanningForest::Scores& scores) {
    scores.shape(parts.nodes);
    std::ranges::fill(scores.values(), 0.0);
    add_loss(parts, shape, 1, scores);
  }
  static void add_loss(const PartArrays& parts, const PartShape&, double weight,
                       SpanningForest::Scores& scores) {
    scores.constant += weight * parts.constant;
    for_each_pair(parts, [&](std::size_t i, std::size_t j) { scores.row(j)[i] += weight * parts.at(i, j); });
  }
  static void forbid(const PartArrays&, const PartShape& shape, SpanningForest::Scores& scores) {
    scores.only = &shape.clusters;
  }
  static void read(const SpanningForest::Counts& counts, const PartShape&, PartArrays& out) {
    std::vector<double> row(first_pair(out.nodes));
    counts.for_each_use([&](std::size_t pair, double amount) { row[pair] += amount; });
    for_each_pair(out, [&](std::size_t i, std::size_t j) { out.at(i, j) = row[first_pair(j) + i]; });
  }
  static std::pair<Forest, bool> admitted(const PartArrays&, const PartShape& shape) {
    return {SpanningForest::structure(shape.clusters), SpanningForest::determines(shape.clusters)};
  }
};

// body(std::type_identity<E>()) of the engine of that name.
template <class Body>
auto with_engine(const std::string& engine, const Body& body) {
  if (engine == "chain") return body(std::type_identity<Chain>());
  if (engine == "graph" || engine == "steps") return body(std::type_identity<GraphEngine>());
  if (engine == "choice") return body(std::type_identity<Choice>());
  if (engine == "context_chain") return body(std::type_identity<ContextChain>());
  if (engine == "trees") return body(std::type_identity<Chart>());
  if (engine == "alignment") return body(std::type_identity<PairCells>());
  if (engine == "forest") return body(std::type_identity<SpanningForest>());
  fail(
      "there is no engine '{}' for tasks: there are chain, steps, context_chain, graph, choice, trees, "
      "alignment and forest.",
      engine);
}

}  // namespace hinge::python
