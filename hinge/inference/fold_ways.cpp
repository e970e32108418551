// The ways to make what stands in a cell: the best fold, the best ones, all.
#include <algorithm>

#include "hinge/inference/best_derivations.h"
#include "hinge/inference/fold_parts.h"

namespace hinge {

double FoldCells::best_at(const Place& place) const {
  const auto [kind, i, j] = place;
  switch (kind) {
    case Kind::prefix:
      return prefix_[j];
    case Kind::pair:
      return value(v_, i, j);
    case Kind::branches:
      return value(m_, i, j);
    case Kind::two:
      return value(m2_, i, j);
    case Kind::one:
      return value(m1_, i, j);
    case Kind::letters:
      return value(o_, i, j);
    case Kind::nothing:
      break;
  }
  return 0;
}

template <class F>
void FoldCells::for_each_way(const Scores& scores, const Place& place, F&& f) const {
  const auto [kind, i, j] = place;
  const Place nothing;
  switch (kind) {
    case Kind::nothing:
      break;
    case Kind::prefix:
      if (j == 0) return f(0.0, nothing, nothing);
      f(letter(scores, tables_.exterior_letter, j - 1), Place{Kind::prefix, 0, j - 1}, nothing);
      for (std::size_t k = 0; k + 1 < j; ++k)
        if (scores.in(k, j - 1) != FoldScores::kNoPair)
          f(tables_.exterior[scores.out(k, j - 1)], Place{Kind::prefix, 0, k}, Place{Kind::pair, k, j - 1});
      break;
    case Kind::pair: {
      const std::uint8_t in = scores.in(i, j);
      const double own = pair_score(scores, i, j);
      f(own + hairpin(scores, i, j), nothing, nothing);
      f(own + tables_.stack[in], Place{Kind::pair, i + 1, j - 1}, nothing);
      f(own + tables_.close[in], Place{Kind::two, i + 1, j - 1}, nothing);
      const auto loop = [&](std::size_t a, std::size_t b, double score) {
        const std::size_t k = i + 1 + a, l = j - 1 - b, own_kind = scores.kind(a, b) * kClasses;
        if (score != kForbidden && scores.in(k, l) != FoldScores::kNoPair)
          f(own + tables_.outer[own_kind + in] + score + tables_.inner[own_kind + scores.out(k, l)],
            Place{Kind::pair, k, l}, nothing);
      };
      for (const Small& small : smalls_)
        if (const double score = small_score(scores, small, i, j); score != kForbidden)
          loop(small.a, small.b, score);
      const Window w = window_inside(scores, i, j);
      const auto strip_score = [&](std::size_t a, std::size_t b) {
        double score = kForbidden;
        for (const Strip& strip : strips_)
          if ((strip.behind_i ? a : b) == strip.fixed)
            score = std::max(score, strip.forward[strip.behind_i ? b : a]);
        return score;
      };
      for (std::size_t a = 0; a <= w.most_a && i + a + 3 <= j; ++a)
        for (std::size_t b = 0; b <= w.most_b && a + b <= w.longest && i + a + b + 3 <= j; ++b)
          loop(a, b, kinds_ > 1 && std::min(a, b) < 2 ? strip_score(a, b) : tables_.loop[a * kWidth + b]);
      break;
    }
    case Kind::branches:
      f(0.0, Place{Kind::two, i, j}, nothing);
      f(0.0, Place{Kind::letters, i, j}, nothing);
      break;
    case Kind::two:
      for (std::size_t k = i + 1; k < j; ++k) f(0.0, Place{Kind::branches, i, k - 1}, Place{Kind::one, k, j});
      break;
    case Kind::letters:
      f(0.0, Place{Kind::one, i, j}, nothing);
      f(letter(scores, tables_.multi_letter, i), Place{Kind::letters, i + 1, j}, nothing);
      break;
    case Kind::one:
      f(letter(scores, tables_.multi_letter, j), Place{Kind::one, i, j - 1}, nothing);
      if (scores.in(i, j) != FoldScores::kNoPair)
        f(tables_.branch[scores.out(i, j)], Place{Kind::pair, i, j}, nothing);
      break;
  }
}

void FoldCells::trace_back(const Scores& scores, FoldPairs& fold) {
  open_.assign(1, {Kind::prefix, 0, n_});
  while (!open_.empty()) {
    const Place place = open_.back();
    open_.pop_back();
    if (place.kind == Kind::pair) {
      fold[place.i] = static_cast<int>(place.j);
      fold[place.j] = static_cast<int>(place.i);
    }
    double best = kForbidden;
    Place made_of[2];
    for_each_way(scores, place, [&](double score, const Place& first, const Place& second) {
      const double value = score + best_at(first) + best_at(second);
      if (value <= best) return;
      best = value;
      made_of[0] = first;
      made_of[1] = second;
    });
    for (const Place& next : made_of)
      if (next.kind != Kind::nothing) open_.push_back(next);
  }
}

// Places as nodes, and the ways to make them as edges, each with its node's name.
struct FoldCells::Graph {
  const FoldCells& cells;
  const Scores& scores;

  std::size_t node(const Place& p) const {
    return p.kind == Kind::nothing
               ? kNoChild
               : (static_cast<std::size_t>(p.kind) * (cells.n_ + 1) + p.i) * (cells.n_ + 1) + p.j;
  }
  Place place(std::size_t node) const {
    const std::size_t size = cells.n_ + 1;
    return {static_cast<Kind>(node / size / size), node / size % size, node % size};
  }
  std::size_t root() const { return node({Kind::prefix, 0, cells.n_}); }
  double best(std::size_t at) const { return cells.best_at(place(at)); }
  template <class F>
  void for_each_edge(std::size_t at, F&& f) const {
    cells.for_each_way(scores, place(at), [&](double score, const Place& first, const Place& second) {
      f(HyperEdge{score, node(first), node(second), at});
    });
  }
};

bool FoldCells::list(const Scores& scores, std::size_t k, double room, const Keep& f) {
  prepare(scores, Mode::max, 0, 0);
  inside(scores);
  const Graph graph{*this, scores};
  return BestDerivations(graph).list(k, room, [&](const std::vector<std::size_t>& nodes, double score) {
    FoldPairs fold(n_, kUnpaired);
    for (const std::size_t node : nodes)
      if (const auto [kind, i, j] = graph.place(node); kind == Kind::pair) {
        fold[i] = static_cast<int>(j);
        fold[j] = static_cast<int>(i);
      }
    return f(std::move(fold), scores.constant + score);
  });
}

std::vector<std::pair<FoldPairs, double>> FoldCells::top(const Scores& scores, std::size_t k) {
  std::vector<std::pair<FoldPairs, double>> result;
  list(scores, k, kAnyRoom, [&](FoldPairs&& fold, double score) {
    result.emplace_back(std::move(fold), score);
    return 0.0;
  });
  return result;
}

void FoldCells::for_each_structure(const Scores& scores, const std::function<void(const FoldPairs&)>& f) {
  FoldPairs s(scores.n(), kUnpaired);
  const std::size_t n = scores.n();
  // Pairs the letters from i on; `ends` are the closing letters of pairs that are open, the innermost last.
  std::vector<std::size_t> ends;
  const std::function<void(std::size_t)> extend = [&](std::size_t i) {
    if (i == n) return f(s);
    if (!ends.empty() && ends.back() == i) {
      ends.pop_back();
      extend(i + 1);
      ends.push_back(i);
      return;
    }
    extend(i + 1);
    for (std::size_t j = i + 1; j < (ends.empty() ? n : ends.back()); ++j) {
      if (scores.in(i, j) == FoldScores::kNoPair) continue;
      s[i] = static_cast<int>(j);
      s[j] = static_cast<int>(i);
      ends.push_back(j);
      extend(i + 1);
      ends.pop_back();
      s[i] = s[j] = kUnpaired;
    }
  };
  extend(0);
}

double FoldCells::structures(const Scores& scores) {
  const std::size_t n = scores.n();  // all that are listed, also those with loops that are too long
  std::vector<double> count((n + 1) * (n + 1), 1.0);  // of the letters i … j − 1
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = i + 1; j <= n; ++j) {
      double sum = count[(i + 1) * (n + 1) + j];
      for (std::size_t k = i + 1; k < j; ++k)
        if (scores.in(i, k) != FoldScores::kNoPair)
          sum += count[(i + 1) * (n + 1) + k] * count[(k + 1) * (n + 1) + j];
      count[i * (n + 1) + j] = sum;
    }
  return count[n];
}

}  // namespace hinge
