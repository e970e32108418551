// The k best derivations of a hypergraph, best first, with their scores: lazily, by recursion on ranks (Huang &
// Chiang 2005), where
//
//     rank r of a node = the best, not yet taken, of  edge + rank i of its left child + rank j of its right child
//
// and after (i, j) of an edge was taken, only (i, j + 1) and, where j = 0, (i + 1, 0) become candidates: each
// pair comes once. One more derivation asks for one more rank at the nodes of one derivation at most. The first
// is the one that maximising finds: of equals the edge that is listed first. A hypergraph offers
//
//     root()
//     best(node)                  the best score of the node's derivations, −∞ where there are none
//     for_each_edge(node, f)      f(HyperEdge) for each way to make it
//
// and need not have its edges in memory. What is listed and what is kept for that is counted in bytes, and ends before it is more
// than there is room for. No recursion, so that derivations may be as deep as they are long.
#pragma once

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hinge/core/smooth_max.h"

namespace hinge {

inline constexpr std::size_t kNoChild = static_cast<std::size_t>(-1);
inline constexpr double kAnyRoom = std::numeric_limits<double>::infinity();

struct HyperEdge {
  double score;
  std::size_t left = kNoChild, right = kNoChild;  // nodes; `left` alone where there is one
  std::size_t name = 0;                           // what a derivation lists
};

template <class Hypergraph>
class BestDerivations {
 public:
  // Edges by their names: a node's, those of its left child, those of its right child.
  using Derivation = std::vector<std::size_t>;

  explicit BestDerivations(const Hypergraph& graph) : graph_(graph) {}

  std::vector<std::pair<Derivation, double>> operator()(std::size_t k) {
    std::vector<std::pair<Derivation, double>> found;
    list(k, kAnyRoom, [&](Derivation&& derivation, double score) {
      found.emplace_back(std::move(derivation), score);
      return 0.0;
    });
    return found;
  }
  // f(derivation, score), best first, which returns how many bytes it keeps of it. Whether `room` bytes were enough.
  template <class F>
  bool list(std::size_t k, double room, F&& f) {
    room_ = room;
    if (graph_.best(graph_.root()) == kForbidden) return true;
    for (std::size_t rank = 0; rank < k; ++rank) {
      find(graph_.root(), rank);
      if (full()) return false;
      const std::vector<Ranked>& ranks = ranks_.at(graph_.root()).found;
      if (ranks.size() == rank) break;
      taken_ += f(derivation(rank), ranks[rank].score);
      if (full()) return false;
    }
    return true;
  }

 private:
  struct Ranked {
    double score;
    HyperEdge edge;
    std::size_t order, i, j;                     // the edge's place among the node's; ranks of its children
    bool operator<(const Ranked& other) const {  // heaps give the largest; of equals the first
      if (score != other.score) return score < other.score;
      if (order != other.order) return order > other.order;
      return i != other.i ? i > other.i : j > other.j;
    }
  };
  struct Ranks {
    std::vector<Ranked> found, open;  // best first; a heap
    bool extended = true;             // what follows the last one found is open
    bool ended() const { return open.empty() && extended; }
  };

  double score_of(std::size_t node, std::size_t rank) const {
    return rank == 0 ? graph_.best(node) : ranks_.at(node).found[rank].score;
  }
  double score_of(const HyperEdge& edge, std::size_t i, std::size_t j) const {
    double score = edge.score;
    if (edge.left != kNoChild) score += score_of(edge.left, i);
    if (edge.right != kNoChild) score += score_of(edge.right, j);
    return score;
  }

  // The best derivation by each edge.
  template <class F>
  void for_each_first(std::size_t node, F&& f) const {
    std::size_t order = 0;
    graph_.for_each_edge(node, [&](const HyperEdge& edge) {
      const Ranked first{score_of(edge, 0, 0), edge, order++, 0, 0};
      if (first.score != kForbidden) f(first);
    });
  }
  bool full() const { return taken_ > room_; }
  void push(std::vector<Ranked>& list, const Ranked& ranked) {
    const std::size_t before = list.capacity();
    list.push_back(ranked);
    taken_ += static_cast<double>((list.capacity() - before) * sizeof(Ranked));
  }
  void take_best(Ranks& ranks) {
    std::pop_heap(ranks.open.begin(), ranks.open.end());
    push(ranks.found, ranks.open.back());
    ranks.open.pop_back();
    ranks.extended = false;
  }
  Ranks& ranks_at(std::size_t node) {
    const auto [entry, added] = ranks_.try_emplace(node);
    Ranks& ranks = entry->second;
    if (!added) return ranks;
    taken_ += kNode;
    for_each_first(node, [&](const Ranked& first) { push(ranks.open, first); });
    std::make_heap(ranks.open.begin(), ranks.open.end());
    if (!ranks.open.empty()) take_best(ranks);
    return ranks;
  }

  // Finds ranks of a node up to one, or all that it has. What that needs of its children is found first.
  void find(std::size_t node, std::size_t rank) {
    needed_.assign(1, {node, rank});
    while (!needed_.empty() && !full()) {
      const auto [at, wanted] = needed_.back();
      Ranks& ranks = ranks_at(at);
      if (ranks.found.size() > wanted || ranks.ended()) {
        needed_.pop_back();
      } else if (ranks.extended) {
        take_best(ranks);
      } else {
        const Ranked last = ranks.found.back();
        const bool left_too = last.j == 0;
        if (!known(last.edge.right, last.j + 1)) continue;
        if (left_too && !known(last.edge.left, last.i + 1)) continue;
        Ranks& own = ranks_.at(at);
        open(own, last, last.i, last.j + 1, last.edge.right, last.j + 1);
        if (left_too) open(own, last, last.i + 1, 0, last.edge.left, last.i + 1);
        own.extended = true;
      }
    }
  }
  // Whether the child's rank was found, or that it has none; else it is needed first.
  bool known(std::size_t child, std::size_t rank) {
    if (child == kNoChild) return true;
    const Ranks& ranks = ranks_at(child);
    if (ranks.found.size() > rank || ranks.ended()) return true;
    needed_.emplace_back(child, rank);
    return false;
  }
  void open(Ranks& own, const Ranked& last, std::size_t i, std::size_t j, std::size_t child,
            std::size_t rank) {
    if (child == kNoChild || ranks_.at(child).found.size() <= rank) return;
    push(own.open, {score_of(last.edge, i, j), last.edge, last.order, i, j});
    std::push_heap(own.open.begin(), own.open.end());
  }

  // Where nobody asked for a second derivation yet, the best one is looked up without keeping the others.
  Ranked ranked(std::size_t node, std::size_t rank) const {
    const auto entry = ranks_.find(node);
    if (entry != ranks_.end()) return entry->second.found[rank];
    Ranked best{kForbidden, {}, 0, 0, 0};
    for_each_first(node, [&](const Ranked& first) {
      if (first.score > best.score) best = first;
    });
    return best;
  }
  Derivation derivation(std::size_t rank) const {
    Derivation names;
    std::vector<std::pair<std::size_t, std::size_t>> open{{graph_.root(), rank}};
    while (!open.empty()) {
      const auto [node, at] = open.back();
      open.pop_back();
      const Ranked r = ranked(node, at);
      names.push_back(r.edge.name);
      if (r.edge.right != kNoChild) open.emplace_back(r.edge.right, r.j);
      if (r.edge.left != kNoChild) open.emplace_back(r.edge.left, r.i);
    }
    return names;
  }

  // A node's entry of the table, its place there, and what allocations add.
  static constexpr double kNode = sizeof(std::pair<std::size_t, Ranks>) + 8 * sizeof(void*);

  const Hypergraph& graph_;
  double room_ = kAnyRoom, taken_ = 0;
  std::unordered_map<std::size_t, Ranks> ranks_;  // of nodes where a second derivation was asked for
  std::vector<std::pair<std::size_t, std::size_t>> needed_;
};

}  // namespace hinge
