// The k best structures over pairs of items, best first, by splitting what is left (Lawler 1972). After the winner s of
// a set of structures is taken, the others of the set are those that
//
//     link the same of the pairs 0 … p−1 as s and differ from it at pair p,      for each pair p that is not settled yet.
//
// The engine finds the winner of each such set under values of ±M at settled pairs, M more than all values together: where
// any structure is as they say, so is the winner. k · pairs questions at most. The best ones for certain where every
// answer of the engine was exact.
//
//     hinge::SpanningForest::Scores scores;
//     scores.shape(3);                                                          // pairs (0, 1), (0, 2), (1, 2)
//     std::ranges::copy(std::vector{1.0, -2.0, 0.5}, scores.values().begin());
//     hinge::SpanningForest engine;
//     const auto two = hinge::best_links(engine, scores, 2);  // 0 - 1 - 2 with 1.5, then 0 - 1 with 1
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "hinge/inference/pair_scores.h"

namespace hinge {

template <class Structure>
struct BestLinks {
  std::vector<std::pair<Structure, double>> found;  // at most k, none that is forbidden
  bool exact = true;
};

// The engine has maxima, over all structures (`scores.only` is null).
template <class Engine>
class LinkSearch {
 public:
  using Structure = typename Engine::Structure;

  LinkSearch(Engine& engine, const typename Engine::Scores& scores)
      : engine_(engine), all_(scores), some_(scores) {
    for (const double value : scores.values())
      if (value != kForbidden) much_ += 2 * std::abs(value);
  }

  BestLinks<Structure> operator()(std::size_t k) {
    if (k > 0) add({}, 0);
    while (best_.found.size() < k && !open_.empty()) {
      std::pop_heap(open_.begin(), open_.end());
      Part part = std::move(open_.back());
      open_.pop_back();
      for (std::size_t p = part.settled; best_.found.size() + 1 < k && p < part.links.size(); ++p) {
        std::vector<char> links(part.links.begin(), part.links.begin() + static_cast<std::ptrdiff_t>(p) + 1);
        links[p] = !links[p];
        add(std::move(links), p + 1);
      }
      best_.found.emplace_back(std::move(part.winner), part.value);
    }
    return std::move(best_);
  }

 private:
  // Structures that link the first pairs as the winner does.
  struct Part {
    Structure winner;
    std::vector<char> links;  // of the winner: whether each pair is linked
    double value;
    std::size_t settled, order;  // of equals the first comes first

    bool operator<(const Part& other) const {
      return value != other.value ? value < other.value : order > other.order;
    }
  };

  void add(const std::vector<char>& settled, std::size_t count) {
    const std::span<const double> values = all_.values();
    for (std::size_t p = 0; p < values.size(); ++p)
      some_.values()[p] = p < count ? (settled[p] ? much_ : -much_) : std::max(values[p], -much_);
    engine_.solve(some_, 0, 0, counts_);
    best_.exact = best_.exact && engine_.answer().exact;
    Part part{counts_.structure(), std::vector<char>(values.size()), 0, count, made_++};
    Engine::for_each_link(part.winner, [&](Index i, Index j) { part.links[first_pair(j) + i] = true; });
    if (!std::equal(settled.begin(), settled.end(), part.links.begin())) return;  // there is none
    part.value = all_.of(part.winner);
    if (part.value == kForbidden) return;
    open_.push_back(std::move(part));
    std::push_heap(open_.begin(), open_.end());
  }

  Engine& engine_;
  const typename Engine::Scores& all_;
  typename Engine::Scores some_;
  typename Engine::Counts counts_;
  std::vector<Part> open_;
  std::size_t made_ = 0;
  double much_ = 1;
  BestLinks<Structure> best_;
};

template <class Engine>
BestLinks<typename Engine::Structure> best_links(Engine& engine, const typename Engine::Scores& scores,
                                                 std::size_t k) {
  return LinkSearch<Engine>(engine, scores)(k);
}

}  // namespace hinge
