// Engines as functions on arrays: scores in; the value T_τ over all structures, and how often each part is used,
// which is its gradient, out. Batches are spread over threads; the interpreter's lock is not held.
#include "engines.h"
#include "hinge/core/workspace.h"
#include "hinge/inference/best_links.h"
#include "hinge/inference/chart.h"
#include "hinge/inference/choice.h"
#include "hinge/inference/correlation_clustering.h"
#include "hinge/inference/pair_cells.h"
#include "hinge/inference/spanning_forest.h"
#include "hinge/inference/top_k.h"
#include "hinge/inference/tree_choice.h"

namespace hinge::python {
namespace {

// Binary trees over n words: scores of the spans (first word, last word), those below the diagonal of no account.
nb::tuple trees(const In<double, 3>& scores, const Lengths& lengths, double temperature,
                std::size_t threads) {
  const std::size_t B = scores.shape(0), N = scores.shape(1);
  if (scores.shape(2) != N || N == 0)
    fail("scores has the shape ({}, {}, {}): it needs (batch, words, words).", B, N, scores.shape(2));
  if (lengths && lengths->size() != B) fail("there are {} lengths for {} examples.", lengths->size(), B);
  constexpr Index kWord = 0, kSpan = 1;
  std::vector<ChartGrammar::Rule> rules;
  for (const Index left : {kWord, kSpan})
    for (const Index right : {kWord, kSpan}) rules.push_back({kSpan, left, right, 0});
  const ChartGrammar grammar(1, {1, 1}, kSpan, rules, {});
  std::vector<double> value(B), counts(B * N * N, 0.0);
  {
    const nb::gil_scoped_release unlocked;
    pool().run(B, threads, [&](std::size_t b) {
      const std::size_t n = length_of(lengths, b, N);
      const double* const from = scores.data() + b * N * N;
      double* const to = counts.data() + b * N * N;
      if (n == 1) {  // a word is no tree of the grammar
        value[b] = from[0];
        to[0] = value[b] == kForbidden ? 0 : 1;
        return;
      }
      ChartScores& parts = scratch<ChartScores, struct PythonTreeScores>();
      ChartCounts& found = scratch<ChartCounts, struct PythonTreeCounts>();
      parts.shape(grammar, n);
      for (std::size_t i = 0; i < n; ++i) {
        require_scores(from + i * N + i, n - i, b);
        for (std::size_t j = i; j < n; ++j) parts.unary(i, j + 1)[ChartGrammar::kBare] = from[i * N + j];
      }
      value[b] = scratch<Chart, struct PythonTrees>().solve(parts, temperature, temperature, found);
      if (value[b] == kForbidden) return;
      if (temperature == 0) {
        for (const ChartStep& step : found.structure()) to[step.begin * N + step.end - 1] = 1;
        return;
      }
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i; j < n; ++j) to[i * N + j] = found.unary(i, j + 1)[ChartGrammar::kBare];
    });
  }
  return nb::make_tuple(out_array(std::move(value), {B}), out_array(std::move(counts), {B, N, N}));
}

template <class F>
nb::tuple choice(const In<F, 2>& scores, double temperature, std::size_t threads) {
  const std::size_t B = scores.shape(0), K = scores.shape(1);
  if (K == 0) fail("scores has the shape ({}, 0): it is empty.", B);
  std::vector<F> value(B), count(B * K);
  {
    const nb::gil_scoped_release unlocked;
    pool().run(B, threads, [&](std::size_t b) {
      Vector& row = scratch<Vector, struct PythonChoice>();
      Vector& share = scratch<Vector, struct PythonChoiceShare>();
      require_scores(scores.data() + b * K, K, b);
      row.assign(scores.data() + b * K, scores.data() + (b + 1) * K);
      share.resize(K);
      value[b] = static_cast<F>(smooth_max(row, temperature, share));
      for (std::size_t k = 0; k < K; ++k) count[b * K + k] = static_cast<F>(share[k]);
    });
  }
  return nb::make_tuple(out_array(std::move(value), {B}), out_array(std::move(count), {B, K}));
}

// The k places count alike, or as `position` says; sums need places that count alike.
nb::tuple top_k(const In<double, 2>& scores, const In<double, 1>& position, double temperature,
                std::size_t threads) {
  const std::size_t B = scores.shape(0), n = scores.shape(1);
  if (position.size() == 0 || position.size() > n)
    fail("there are {} places for {} items.", position.size(), n);
  const std::span<const double> places(position.data(), position.size());
  if (!std::ranges::is_sorted(places, std::greater())) fail("places count less and less: sort them.");
  if (temperature > 0 && !TopK::level_positions(places))
    fail("a sum over rankings needs places that count alike.");
  std::vector<double> value(B), count(B * n);
  {
    const nb::gil_scoped_release unlocked;
    pool().run(B, threads, [&](std::size_t b) {
      TopK engine;
      ItemScores items;
      ItemCounts counts;
      items.reset(n);
      require_scores(scores.data() + b * n, n, b);
      items.value.assign(scores.data() + b * n, scores.data() + (b + 1) * n);
      items.position = places;
      value[b] = engine.solve(items, temperature, temperature, counts);
      if (value[b] == kForbidden) return;
      std::ranges::copy(counts.amounts(), count.begin() + static_cast<std::ptrdiff_t>(b * n));
    });
  }
  return nb::make_tuple(out_array(std::move(value), {B}), out_array(std::move(count), {B, n}));
}

// `pairs` are of (0, 1), (0, 2), (1, 2), (0, 3), ...
template <class Engine>
typename Engine::Scores pair_scores(const In<double, 1>& pairs, std::size_t items) {
  if (pairs.size() != first_pair(items))
    fail("there are {} pairs of {} items, not {}.", first_pair(items), items, pairs.size());
  require_scores(pairs.data(), pairs.size(), 0);
  typename Engine::Scores scores;
  scores.shape(items);
  std::copy_n(pairs.data(), pairs.size(), scores.values().begin());
  return scores;
}

// The k best forests of links, or clusters: values, which pairs each links, its clusters, and whether all are the best.
template <class Engine>
nb::tuple pairs_top(const In<double, 1>& pairs, std::size_t items, std::size_t k) {
  const auto scores = pair_scores<Engine>(pairs, items);
  BestLinks<typename Engine::Structure> best;
  std::vector<double> value, linked;
  std::vector<std::int64_t> cluster;
  {
    const nb::gil_scoped_release unlocked;
    Engine engine;
    best = best_links(engine, scores, k);
    linked.resize(best.found.size() * pairs.size());
    for (std::size_t r = 0; r < best.found.size(); ++r) {
      const auto& [structure, score] = best.found[r];
      value.push_back(score);
      Engine::for_each_link(structure,
                            [&](Index i, Index j) { linked[r * pairs.size() + first_pair(j) + i] = 1; });
      const Partition y = Engine::partition(items, structure);
      cluster.insert(cluster.end(), y.begin(), y.end());
    }
  }
  const std::size_t found = best.found.size();
  return nb::make_tuple(out_array(std::move(value), {found}),
                        out_array(std::move(linked), {found, pairs.size()}),
                        out_array(std::move(cluster), {found, items}), best.exact);
}

// Alignments of two sequences with affine gaps: match (batch, m, n), lengths (batch, 2). Returns values, how often each pair
// stands, and how often gaps begin and go on.
nb::tuple alignment(const In<double, 3>& match, double open, double extend,
                    const std::optional<In<std::int64_t, 2>>& lengths, bool local, double temperature,
                    std::size_t threads) {
  const std::size_t B = match.shape(0), M = match.shape(1), N = match.shape(2);
  if (M == 0 || N == 0) fail("match has the shape ({}, {}, {}): it is empty.", B, M, N);
  if (lengths && (lengths->shape(0) != B || lengths->shape(1) != 2))
    fail("lengths has the shape ({}, {}), where ({}, 2) belongs.", lengths->shape(0), lengths->shape(1), B);
  const double gaps[] = {open, extend};
  require_scores(gaps, 2, 0);
  std::vector<double> value(B), count(B * M * N, 0.0), opens(B, 0.0), extends(B, 0.0);
  {
    const nb::gil_scoped_release unlocked;
    pool().run(B, threads, [&](std::size_t b) {
      const auto length = [&](std::size_t side, std::size_t whole) {
        const std::int64_t given = lengths ? lengths->data()[2 * b + side] : static_cast<std::int64_t>(whole);
        if (given < 1 || static_cast<std::size_t>(given) > whole)
          fail("a length of example {} is {}: it must be from 1 to {}.", b, given, whole);
        return static_cast<std::size_t>(given);
      };
      const std::size_t m = length(0, M), n = length(1, N);
      AlignmentScores& scores = scratch<AlignmentScores, struct PythonAlignmentScores>();
      AlignmentCounts& counts = scratch<AlignmentCounts, struct PythonAlignmentCounts>();
      scores.shape(m, n, 1, m + 1, local);
      for (std::size_t i = 0; i < m; ++i) {
        require_scores(match.data() + (b * M + i) * N, n, b);
        std::copy_n(match.data() + (b * M + i) * N, n, scores.row(i + 1));
        scores.rows_of(i)[0] = static_cast<Index>(i + 1);
      }
      for (const AlignedSide side : {AlignedSide::x, AlignedSide::z}) {
        std::ranges::fill(scores.gaps(side).open, open);
        std::ranges::fill(scores.gaps(side).extend, extend);
      }
      value[b] =
          scratch<PairCells, struct PythonAlignments>().solve(scores, temperature, temperature, counts);
      if (value[b] == kForbidden) return;
      double* const to = count.data() + b * M * N;
      if (temperature > 0) {
        for (std::size_t i = 0; i < m; ++i) std::copy_n(counts.row(i + 1), n, to + i * N);
        for (const AlignedSide side : {AlignedSide::x, AlignedSide::z}) {
          for (const double amount : counts.gaps(side).open) opens[b] += amount;
          for (const double amount : counts.gaps(side).extend) extends[b] += amount;
        }
        return;
      }
      counts.for_each_use([&](std::size_t i, std::size_t j, double amount) { to[i * N + j] += amount; },
                          [&](AlignedSide, std::size_t, std::size_t, bool begins, double amount) {
                            (begins ? opens : extends)[b] += amount;
                          });
    });
  }
  return nb::make_tuple(out_array(std::move(value), {B}), out_array(std::move(count), {B, M, N}),
                        out_array(std::move(opens), {B}), out_array(std::move(extends), {B}));
}

// Of N nodes; parents stand before their children.
Hierarchy hierarchy_of(std::size_t N, const std::vector<std::vector<Index>>& parents,
                       const std::vector<Index>& answers) {
  if (N == 0 || parents.size() != N) fail("there are {} parents for {} nodes.", parents.size(), N);
  for (std::size_t z = 0; z < N; ++z)
    for (const Index parent : parents[z])
      if (parent >= z) fail("node {} has the parent {}: parents stand before their children.", z, parent);
  if (answers.empty() || !std::ranges::is_sorted(answers, std::less_equal()) || answers.back() >= N)
    fail("answers are some of the nodes, ascending.");
  return {parents, answers};
}

// What each answer scores, with all that stands above it.
nb::object hierarchy_answers(const In<double, 1>& scores, const std::vector<std::vector<Index>>& parents,
                             const std::vector<Index>& answers) {
  const std::size_t N = scores.size();
  const Hierarchy tree = hierarchy_of(N, parents, answers);
  require_scores(scores.data(), N, 0);
  TreeChoice::Scores parts;
  parts.shape(tree);
  std::copy_n(scores.data(), N, parts.node.begin());
  std::vector<double> value;
  TreeChoice().score_answers(parts, value);
  const std::size_t size = value.size();
  return out_array(std::move(value), {size});
}

// One answer of a hierarchy for each row of scores of nodes.
nb::tuple hierarchy(const In<double, 2>& scores, const std::vector<std::vector<Index>>& parents,
                    const std::vector<Index>& answers, double temperature, std::size_t threads) {
  const std::size_t B = scores.shape(0), N = scores.shape(1);
  const Hierarchy tree = hierarchy_of(N, parents, answers);
  std::vector<double> value(B), count(B * N, 0.0);
  {
    const nb::gil_scoped_release unlocked;
    pool().run(B, threads, [&](std::size_t b) {
      TreeChoice engine;
      TreeChoice::Scores parts;
      TreeChoice::Counts counts;
      parts.shape(tree);
      require_scores(scores.data() + b * N, N, b);
      std::copy_n(scores.data() + b * N, N, parts.node.begin());
      value[b] = engine.solve(parts, temperature, temperature, counts);
      if (value[b] == kForbidden) return;
      double* const to = count.data() + b * N;
      if (counts.soft())
        std::ranges::copy(counts.amounts(), to);
      else
        for (const auto& use : counts.uses()) to[use.node] += use.amount;
    });
  }
  return nb::make_tuple(out_array(std::move(value), {B}), out_array(std::move(count), {B, N}));
}

}  // namespace

Pool& pool() {
  static Pool* const one = new Pool;  // never destroyed: threads must not be joined while Python ends
  return *one;
}

void bind_engines(nb::module_& m) {
  bind_chains(m);
  bind_graphs(m);
  bind_lists(m);
  bind_folds(m);
  bind_grammars(m);
  m.def("trees", &trees, "scores"_a, "lengths"_a.none(), "temperature"_a, "threads"_a);
  m.def("choice", &choice<double>, "scores"_a.noconvert(), "temperature"_a, "threads"_a);
  m.def("choice", &choice<float>, "scores"_a.noconvert(), "temperature"_a, "threads"_a);
  m.def("top_k", &top_k, "scores"_a, "position"_a, "temperature"_a, "threads"_a);
  m.def("alignment", &alignment, "match"_a, "open"_a, "extend"_a, "lengths"_a.none(), "local"_a,
        "temperature"_a, "threads"_a);
  m.def("hierarchy", &hierarchy, "scores"_a, "parents"_a, "answers"_a, "temperature"_a, "threads"_a);
  m.def("hierarchy_answers", &hierarchy_answers, "scores"_a, "parents"_a, "answers"_a);
  m.def("spanning_forests", &pairs_top<SpanningForest>, "pairs"_a, "items"_a, "k"_a);
  m.def("clusters", &pairs_top<CorrelationClustering>, "pairs"_a, "items"_a, "k"_a);
}

}  // namespace hinge::python
