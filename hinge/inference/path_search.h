// Searches over paths that do not depend on how neighbours are scored: the k best, and all of them.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "hinge/core/smooth_max.h"
#include "hinge/inference/path_counts.h"

namespace hinge {

// The k best paths through a lattice of states, best first, with their scores: by recursion on ranks (Jiménez
// & Marzal 1999), where
//
//     rank j into state s at t = the best, not yet taken, of  rank i into r at t − 1, then the step from r to s
//
// and of each r only the first i that is not taken yet is a candidate. One more path asks for one more rank
// at no more than T places, so that time and memory are O(k T S) whatever scores are equal. The first path is
// the one that maximising finds. A lattice offers
//
//     length(), states(), label(state)
//     forward(t, state)               the best score of everything up to t that ends in that state
//     node(t, label)
//     for_each_before(state, f)       f(from, score) for each state that may stand before it
//
// with forward(t, s) = max over states before of (forward(t − 1, from) + score), + node, and different paths
// of states must have different labels.
template <class Lattice>
class BestPaths {
 public:
  explicit BestPaths(const Lattice& lattice) : lattice_(lattice), end_{lattice.length(), 0} {}

  std::vector<std::pair<Path, double>> operator()(std::size_t k) {
    std::vector<std::pair<Path, double>> found;
    if (lattice_.length() == 0) return found;
    const std::vector<Ranked>& ranks = ranks_at(end_).found;
    while (found.size() < k && found.size() < ranks.size()) {
      found.emplace_back(path(found.size()), ranks[found.size()].score);
      if (found.size() < k) find_one_more();
    }
    return found;
  }

 private:
  // A state at a position; the end stands behind the last.
  struct Place {
    std::size_t t, state;
  };
  // A path into a place: where it comes from, which of the paths there it continues, and by which step.
  struct Ranked {
    double score, step;
    std::size_t from, rank;
    bool operator<(const Ranked& other) const {  // heaps give the largest; of equals the first
      if (score != other.score) return score < other.score;
      return from != other.from ? from > other.from : rank > other.rank;
    }
  };
  struct Ranks {
    std::vector<Ranked> found, open;  // best first; a heap
  };

  bool at_end(const Place& place) const { return place.t == lattice_.length(); }
  double extended(const Place& place, double before, double step) const {
    return at_end(place) ? before : before + step + lattice_.node(place.t, lattice_.label(place.state));
  }

  // f of the best path into a place through each state before it.
  template <class F>
  void for_each_first(const Place& place, F&& f) const {
    const auto offer = [&](std::size_t from, double step) {
      const Ranked first{extended(place, lattice_.forward(place.t - 1, from), step), step, from, 0};
      if (first.score != kForbidden) f(first);
    };
    if (at_end(place))
      for (std::size_t s = 0; s < lattice_.states(); ++s) offer(s, 0);
    else
      lattice_.for_each_before(place.state, offer);
  }

  Ranks& ranks_at(const Place& place) {
    const auto [entry, added] = ranks_.try_emplace(place.t * lattice_.states() + place.state);
    Ranks& ranks = entry->second;
    if (!added) return ranks;
    if (place.t == 0) {
      ranks.found.push_back({lattice_.forward(0, place.state), 0, 0, 0});
    } else {
      for_each_first(place, [&](const Ranked& first) { ranks.open.push_back(first); });
      std::make_heap(ranks.open.begin(), ranks.open.end());
      take_best(ranks);
    }
    return ranks;
  }
  static void take_best(Ranks& ranks) {
    if (ranks.open.empty()) return;
    std::pop_heap(ranks.open.begin(), ranks.open.end());
    ranks.found.push_back(ranks.open.back());
    ranks.open.pop_back();
  }

  // At the end. It needs the rank after the one it took last there, and so on back: first that one is found.
  void find_one_more() {
    needed_.clear();
    for (Place place = end_;;) {
      needed_.push_back(place);
      if (place.t == 0) break;
      const auto [score, step, from, rank] = ranks_at(place).found.back();
      place = {place.t - 1, from};
      if (ranks_at(place).found.size() > rank + 1) break;
    }
    for (std::size_t n = needed_.size(); n-- > 0;) {
      const Place place = needed_[n];
      if (place.t == 0) continue;  // has one path only
      Ranks& ranks = ranks_at(place);
      const auto [score, step, from, rank] = ranks.found.back();
      const std::vector<Ranked>& before = ranks_at({place.t - 1, from}).found;
      if (rank + 1 < before.size()) {
        ranks.open.push_back({extended(place, before[rank + 1].score, step), step, from, rank + 1});
        std::push_heap(ranks.open.begin(), ranks.open.end());
      }
      take_best(ranks);
    }
  }

  // Where nobody asked for a second path yet, the best one is looked up without keeping the others.
  Ranked ranked(const Place& place, std::size_t rank) const {
    const auto entry = ranks_.find(place.t * lattice_.states() + place.state);
    if (entry != ranks_.end()) return entry->second.found[rank];
    Ranked best{kForbidden, 0, 0, 0};
    for_each_first(place, [&](const Ranked& first) { best = std::max(best, first); });
    return best;
  }
  Path path(std::size_t rank) const {
    Path path(lattice_.length());
    for (Place place = end_; place.t > 0;) {
      const Ranked last = ranked(place, rank);
      place = {place.t - 1, last.from};
      rank = last.rank;
      path[place.t] = static_cast<int>(lattice_.label(place.state));
    }
    return path;
  }

  const Lattice& lattice_;
  const Place end_;
  std::unordered_map<std::size_t, Ranks> ranks_;  // of places where a second path was asked for
  std::vector<Place> needed_;
};

// All labels^length paths; for tests.
template <class F>
void for_each_path(std::size_t length, std::size_t labels, F&& f) {
  Path path(length, 0);
  for (;;) {
    f(path);
    std::size_t t = 0;
    while (t < length && ++path[t] == static_cast<int>(labels)) path[t++] = 0;
    if (t == length) return;
  }
}

}  // namespace hinge
