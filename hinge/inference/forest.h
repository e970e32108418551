// The engine for packed forests: derivations that combine parts, shared where they have sub-derivations in
// common. A node is made by one of its edges; an edge is a part and up to two nodes:
//
//     score(derivation) = Σ over its edges of score[part]
//     value(node)       = T_τ over its edges of (score[part] + value(left) + value(right))
//     solve             = value(root),   counts[part] = its gradient: how often the part is expected to be used
//
// Swept inside-out (children stand before parents) for values and outside-in for counts: O(edges). Some nodes
// may be hidden with all below them; with τy at the others and τh at hidden ones, solve is T_τy over the edges
// at outputs of T_τh over the rest, exactly. −∞ forbids a part. It is the reference for the engines with loops of
// their own (chart.h), and the engine of tasks that need none. Buffers are kept: a second sweep allocates
// nothing.
//
//     hinge::ForestScores scores;
//     hinge::PackedForest& forest = scores.forest;
//     const auto leaf = forest.add_node();                             // made by part 0 or by part 1
//     forest.add_edge(0);
//     forest.add_edge(1);
//     forest.add_node();                                               // the last node is the root
//     forest.add_edge(2, leaf, leaf);
//     scores.value = {1, 2, 0.5};
//     hinge::ForestCounts counts;
//     const double best = hinge::ForestSweep().solve(scores, 0, 0, counts);  // 4.5, edges {2, 1, 1}
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "hinge/core/random.h"
#include "hinge/core/smooth_max.h"
#include "hinge/inference/answer.h"

namespace hinge {

// Flat arrays: nodes in an order where children stand before their parents, the edges of each side by side.
class PackedForest {
 public:
  static constexpr Index kNone = static_cast<Index>(-1);
  struct Edge {
    Index part;
    Index left = kNone, right = kNone;  // nodes; `left` alone where there is one
  };

  void clear() {
    edges_.clear();
    first_.assign(1, 0);
    parts_ = 0;
  }
  // A node without edges has no derivation.
  Index add_node() {
    first_.push_back(first_.back());
    return static_cast<Index>(nodes() - 1);
  }
  // Of the last node; its children are nodes before it.
  void add_edge(Index part, Index left = kNone, Index right = kNone) {
    edges_.push_back({part, left, right});
    ++first_.back();
    if (part >= parts_) parts_ = part + 1;
  }

  std::size_t nodes() const { return first_.size() - 1; }
  Index root() const { return static_cast<Index>(nodes() - 1); }
  std::size_t parts() const { return parts_; }  // one more than the largest that an edge names
  std::span<const Edge> edges() const { return edges_; }
  std::size_t first_edge(std::size_t node) const { return first_[node]; }  // up to that of the next node

 private:
  std::vector<Edge> edges_;
  std::vector<std::size_t> first_{0};
  Index parts_ = 0;
};

// The edges of a derivation: the root's, those of its left child, those of its right child.
using Derivation = std::vector<Index>;

struct ForestScores {
  PackedForest forest;
  std::vector<double> value;  // of each part: forest.parts() at least
  std::vector<char> hidden;   // of each node, closed under children; empty: none

  double of(const Derivation& s) const;
  bool hides(std::size_t node) const { return !hidden.empty() && hidden[node] != 0; }

  std::size_t parts() const { return value.size(); }
  void get(std::span<double> out) const { std::ranges::copy(value, out.begin()); }
  void set(std::span<const double> in) { value.assign(in.begin(), in.end()); }
  void clear() { std::ranges::fill(value, 0.0); }
};

// How often each part is used: by one derivation, less another's, or on average.
class ForestCounts {
 public:
  const Derivation& structure() const { return winner_; }
  // The derivation whose edges are most probable, added up.
  Derivation most_probable() const;
  std::span<const double> amounts() const { return amounts_; }  // of each part
  std::span<const double> edge_amounts() const {
    return edges_;
  }  // of each edge, before anything is subtracted
  void subtract(const Derivation& s);
  void scale(double factor);
  void get(std::span<double> out) const { std::ranges::copy(amounts_, out.begin()); }
  void set(const ForestScores& shape, std::span<const double> in);

 private:
  friend class ForestSweep;
  const PackedForest* forest_ = nullptr;  // that of the scores
  bool hard_ = true;
  Derivation winner_;
  Vector amounts_, edges_;
};

class ForestSweep : public AlwaysExact {
 public:
  using Scores = ForestScores;
  using Counts = ForestCounts;
  using Structure = Derivation;

  // The latent temperature is that of hidden nodes. The counts refer to the forest of the scores.
  double solve(const Scores& scores, double output_temperature, double latent_temperature, Counts& counts);

  // The k best derivations, best first, with their scores (best_derivations.h).
  std::vector<std::pair<Derivation, double>> top(const Scores& scores, std::size_t k);

  // Draws a derivation with probability exp((score − value) / τ), once `solve` was asked at that temperature, the
  // same for outputs and hidden nodes. There must be one.
  void sample(const Scores& scores, double temperature, Random& random, Derivation& out);

  // T_τ over the derivations of each node, as the last solve found them.
  std::span<const double> values() const { return value_; }

  static double structures(const Scores& scores);  // how many derivations there are
  static void for_each_structure(const Scores& scores, const std::function<void(const Derivation&)>& f);
  // The edges at outputs.
  static Derivation outputs(const Scores& scores, const Derivation& s);

 private:
  double sweep_inside(const Scores& scores, double output_temperature, double latent_temperature);
  void sweep_outside(const Scores& scores, double output_temperature, double latent_temperature,
                     Counts& counts);
  double edge_value(const Scores& scores, const PackedForest::Edge& edge) const {
    double value = scores.value[edge.part];
    if (edge.left != PackedForest::kNone) value += value_[edge.left];
    if (edge.right != PackedForest::kNone) value += value_[edge.right];
    return value;
  }

  Vector value_, probability_;  // of each node
  std::vector<Index> winner_;   // the best edge of each node
  std::vector<Index> open_;
};

}  // namespace hinge
