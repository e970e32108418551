// Searches over paths that do not depend on how neighbours are scored: the k best, and all of them.
#pragma once

#include <queue>
#include <utility>

#include "hinge/core/smooth_max.h"
#include "hinge/inference/path_counts.h"

namespace hinge {

// The k best paths through a lattice of states, best first, with their scores: a search back from the end in
// the order of the exact score of the best completion. A lattice offers
//
//     length(), states(), label(state)
//     forward(t, state)               the best score of everything up to t that ends in that state
//     node(t, label)
//     for_each_before(state, f)       f(from, score) for each state that may stand before it
//
// and different paths of states must have different labels.
template <class Lattice>
std::vector<std::pair<Path, double>> best_paths(const Lattice& lattice, std::size_t k) {
  // A suffix of a path; suffixes share their tails. `total` is the score of its best completion to the left.
  struct Suffix {
    double total, tail;  // tail: the score of everything to the right of `state`'s own forward value
    std::size_t position, next, state;
  };
  std::vector<std::pair<Path, double>> found;
  if (lattice.length() == 0) return found;
  std::vector<Suffix> suffixes;
  const auto worse = [&](std::size_t a, std::size_t b) {
    return suffixes[a].total != suffixes[b].total ? suffixes[a].total < suffixes[b].total : a > b;
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(worse)> open(worse);
  const auto push = [&](std::size_t t, std::size_t state, double tail, std::size_t next) {
    const double total = lattice.forward(t, state) + tail;
    if (total == kForbidden) return;
    suffixes.push_back({total, tail, t, next, state});
    open.push(suffixes.size() - 1);
  };
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  for (std::size_t s = 0; s < lattice.states(); ++s) push(lattice.length() - 1, s, 0, none);
  while (!open.empty() && found.size() < k) {
    const std::size_t place = open.top();
    open.pop();
    const Suffix suffix = suffixes[place];
    if (suffix.position == 0) {
      Path path;
      for (std::size_t p = place; p != none; p = suffixes[p].next)
        path.push_back(static_cast<int>(lattice.label(suffixes[p].state)));
      found.emplace_back(std::move(path), suffix.total);
      continue;
    }
    const double own = lattice.node(suffix.position, lattice.label(suffix.state));
    lattice.for_each_before(suffix.state, [&](std::size_t from, double score) {
      push(suffix.position - 1, from, suffix.tail + own + score, place);
    });
  }
  return found;
}

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
