// The k best structures of engines on arrays, and structures drawn by chance. Each function makes the forest of all structures of one shape.
#include "listing.h"

#include "engines.h"
#include "hinge/core/random.h"

namespace hinge::python {

void Listing::append(const Derivation& derivation, std::vector<std::int64_t>& rows) const {
  const std::size_t begin = rows.size();
  rows.resize(begin + width_, otherwise_);
  for (const Index edge : derivation) {
    const Mark& mark = marks_[scores_.forest.edges()[edge].part];
    if (mark.place != kNowhere) rows[begin + mark.place] = mark.number;
  }
}

nb::tuple Listing::top(std::size_t k) const {
  std::vector<std::int64_t> rows;
  std::vector<double> score;
  {
    const nb::gil_scoped_release unlocked;
    for (const auto& [derivation, value] : ForestSweep().top(scores_, k)) {
      append(derivation, rows);
      score.push_back(value);
    }
  }
  const std::size_t found = score.size();
  return nb::make_tuple(out_array(std::move(rows), {found, width_}), out_array(std::move(score), {found}));
}

nb::object Listing::draw(std::size_t count, double temperature, std::uint64_t seed) const {
  if (!(temperature > 0) || !std::isfinite(temperature))
    fail("samples need a positive temperature, not {}.", temperature);
  std::vector<std::int64_t> rows;
  {
    const nb::gil_scoped_release unlocked;
    ForestSweep sweep;
    ForestCounts counts;
    if (sweep.solve(scores_, temperature, temperature, counts) == kForbidden)
      fail("every structure is forbidden.");
    Random random(seed);
    Derivation derivation;
    for (std::size_t n = 0; n < count; ++n) {
      sweep.sample(scores_, temperature, random, derivation);
      append(derivation, rows);
    }
  }
  return out_array(std::move(rows), {count, width_});
}

namespace {

// Labels of a chain whose steps have tables of their own.
Listing paths(const In<double, 2>& unary, const In<double, 3>& pairwise) {
  const std::size_t T = unary.shape(0), K = unary.shape(1);
  if (T == 0 || K == 0) fail("unary has the shape ({}, {}): it is empty.", T, K);
  if (pairwise.shape(0) != T - 1 || (T > 1 && (pairwise.shape(1) != K || pairwise.shape(2) != K)))
    fail("pairwise has the shape ({}, {}, {}), where ({}, {}, {}) belongs.", pairwise.shape(0),
         pairwise.shape(1), pairwise.shape(2), T - 1, K, K);
  require_scores(unary.data(), T * K, 0);
  require_scores(pairwise.data(), pairwise.size(), "pairwise");
  Listing list(T, -1);
  std::vector<Index> before(K), now(K);
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t b = 0; b < K; ++b) {
      const double own = unary.data()[t * K + b];
      const auto label = static_cast<std::int64_t>(b);
      now[b] = list.forest().add_node();
      if (t == 0) {
        list.forest().add_edge(list.add_part(own, t, label));
        continue;
      }
      for (std::size_t a = 0; a < K; ++a)
        list.forest().add_edge(list.add_part(own + pairwise.data()[((t - 1) * K + a) * K + b], t, label),
                               before[a]);
    }
    before.swap(now);
  }
  list.forest().add_node();
  const Index end = list.add_part(0);
  for (const Index last : before) list.forest().add_edge(end, last);
  return list;
}

// Binary trees: rows say of each span (first word, last word) whether it stands in the tree.
Listing tree_spans(const In<double, 2>& scores) {
  const std::size_t n = scores.shape(0);
  if (scores.shape(1) != n || n == 0)
    fail("scores has the shape ({}, {}): it needs (words, words).", n, scores.shape(1));
  Listing list(n * n, 0);
  std::vector<Index> node(n * n);
  for (std::size_t length = 1; length <= n; ++length)
    for (std::size_t i = 0; i + length <= n; ++i) {
      const std::size_t j = i + length - 1;
      require_scores(scores.data() + i * n + j, 1, 0);
      const Index part = list.add_part(scores.data()[i * n + j], i * n + j, 1);
      node[i * n + j] = list.forest().add_node();
      if (length == 1) list.forest().add_edge(part);
      for (std::size_t k = i; k < j; ++k)
        list.forest().add_edge(part, node[i * n + k], node[(k + 1) * n + j]);
    }
  return list;
}

// Sets of k items: rows say of each item whether it is one of them.
Listing sets(const In<double, 1>& scores, std::size_t k) {
  const std::size_t n = scores.size();
  if (k == 0 || k > n) fail("there are {} places for {} items.", k, n);
  require_scores(scores.data(), n, 0);
  Listing list(n, 0);
  const Index nothing = list.add_part(0);
  std::vector<Index> later, now;  // by how many are left to choose
  later.push_back(list.forest().add_node());
  list.forest().add_edge(nothing);
  for (std::size_t i = n; i-- > 0;) {
    const Index part = list.add_part(scores.data()[i], i, 1);
    const std::size_t most = i == 0 ? k : std::min(k, n - i);
    now.clear();
    for (std::size_t r = i == 0 ? k : 0; r <= most; ++r) {
      now.push_back(list.forest().add_node());
      if (r > 0) list.forest().add_edge(part, later[r - 1]);
      if (r < later.size()) list.forest().add_edge(nothing, later[r]);
    }
    later.swap(now);
  }
  return list;
}

// Alignments: rows have for each letter of the first sequence the one of the second opposite, -1 for a gap. States as in
// pair_cells.h.
Listing alignments(const In<double, 2>& match, double open, double extend, bool local) {
  const std::size_t m = match.shape(0), n = match.shape(1);
  if (m == 0 || n == 0) fail("match has the shape ({}, {}): it is empty.", m, n);
  require_scores(match.data(), m * n, 0);
  Listing list(m, -1);
  PackedForest& forest = list.forest();
  const Index nothing = list.add_part(0), opened = list.add_part(open), extended = list.add_part(extend);
  struct Cell {
    Index pair = PackedForest::kNone, x = PackedForest::kNone, z = PackedForest::kNone;
  };
  const auto edge = [&](Index part, Index from) {
    if (from != PackedForest::kNone) forest.add_edge(part, from);
  };
  std::vector<Cell> cells((m + 1) * (n + 1));
  const auto at = [&](std::size_t i, std::size_t j) -> Cell& { return cells[i * (n + 1) + j]; };
  if (!local) {
    at(0, 0).pair = forest.add_node();
    forest.add_edge(nothing);
  }
  for (std::size_t i = 0; i <= m; ++i)
    for (std::size_t j = 0; j <= n; ++j) {
      Cell& cell = at(i, j);
      if (i > 0 && j > 0) {
        const Cell& before = at(i - 1, j - 1);
        const Index part =
            list.add_part(match.data()[(i - 1) * n + j - 1], i - 1, static_cast<std::int64_t>(j - 1));
        cell.pair = forest.add_node();
        for (const Index from : {before.pair, before.x, before.z}) edge(part, from);
        if (local) forest.add_edge(part);
      }
      if (i > 0) {
        cell.x = forest.add_node();
        edge(opened, at(i - 1, j).pair);
        edge(extended, at(i - 1, j).x);
      }
      if (j > 0) {
        cell.z = forest.add_node();
        edge(opened, at(i, j - 1).pair);
        edge(opened, at(i, j - 1).x);
        edge(extended, at(i, j - 1).z);
      }
    }
  forest.add_node();
  if (!local) {
    for (const Index last : {at(m, n).pair, at(m, n).x, at(m, n).z}) edge(nothing, last);
  } else {
    for (const Cell& cell : cells) edge(nothing, cell.pair);
    forest.add_edge(nothing);  // no pair at all
  }
  return list;
}

}  // namespace

void bind_lists(nb::module_& m) {
  m.def(
      "paths_top",
      [](const In<double, 2>& u, const In<double, 3>& p, std::size_t k) { return paths(u, p).top(k); },
      "unary"_a, "pairwise"_a, "k"_a);
  m.def(
      "paths_drawn",
      [](const In<double, 2>& u, const In<double, 3>& p, std::size_t count, double temperature,
         std::uint64_t seed) { return paths(u, p).draw(count, temperature, seed); },
      "unary"_a, "pairwise"_a, "count"_a, "temperature"_a, "seed"_a);
  m.def(
      "trees_top", [](const In<double, 2>& scores, std::size_t k) { return tree_spans(scores).top(k); },
      "scores"_a, "k"_a);
  m.def(
      "trees_drawn",
      [](const In<double, 2>& scores, std::size_t count, double temperature, std::uint64_t seed) {
        return tree_spans(scores).draw(count, temperature, seed);
      },
      "scores"_a, "count"_a, "temperature"_a, "seed"_a);
  m.def(
      "sets_top",
      [](const In<double, 1>& scores, std::size_t size, std::size_t k) { return sets(scores, size).top(k); },
      "scores"_a, "size"_a, "k"_a);
  m.def(
      "sets_drawn",
      [](const In<double, 1>& scores, std::size_t size, std::size_t count, double temperature,
         std::uint64_t seed) { return sets(scores, size).draw(count, temperature, seed); },
      "scores"_a, "size"_a, "count"_a, "temperature"_a, "seed"_a);
  m.def(
      "alignments_top",
      [](const In<double, 2>& match, double open, double extend, bool local, std::size_t k) {
        return alignments(match, open, extend, local).top(k);
      },
      "match"_a, "open"_a, "extend"_a, "local"_a, "k"_a);
  m.def(
      "alignments_drawn",
      [](const In<double, 2>& match, double open, double extend, bool local, std::size_t count,
         double temperature, std::uint64_t seed) {
        return alignments(match, open, extend, local).draw(count, temperature, seed);
      },
      "match"_a, "open"_a, "extend"_a, "local"_a, "count"_a, "temperature"_a, "seed"_a);
}

}  // namespace hinge::python
