// Chains as functions on arrays: values, counts, losses and best paths of batches, which are spread over threads; the
// interpreter's lock is not held.
#include "engines.h"
#include "hinge/core/workspace.h"
#include "hinge/inference/chain.h"
#include "hinge/inference/context_chain.h"
#include "listing.h"

namespace hinge::python {
namespace {

template <class F>
void fill_chain(const In<F, 3>& unary, const In<F, 2>& pairwise, const Mask& hidden, std::size_t b,
                std::size_t length, ChainScores& scores) {
  const std::size_t T = unary.shape(1), K = unary.shape(2);
  scores.shape(length, K);
  require_scores(unary.data() + b * T * K, length * K, b);
  for (std::size_t t = 0; t < length; ++t) std::copy_n(unary.data() + (b * T + t) * K, K, scores.node(t));
  for (std::size_t a = 0; a < K; ++a) std::copy_n(pairwise.data() + a * K, K, scores.edge(a));
  if (hidden)
    for (std::size_t t = 0; t < length; ++t)
      if (hidden->data()[b * T + t]) scores.hide(t);
}

template <class F>
void check_chain(const In<F, 3>& unary, const In<F, 2>& pairwise, const Lengths& lengths,
                 const Mask& hidden) {
  const std::size_t K = unary.shape(2);
  if (unary.shape(1) == 0 || K == 0)
    fail("unary has the shape ({}, {}, {}): it is empty.", unary.shape(0), unary.shape(1), K);
  if (pairwise.shape(0) != K || pairwise.shape(1) != K)
    fail("pairwise has the shape ({}, {}), where ({}, {}) belongs.", pairwise.shape(0), pairwise.shape(1), K,
         K);
  if (lengths && lengths->size() != unary.shape(0))
    fail("there are {} lengths for {} sequences.", lengths->size(), unary.shape(0));
  if (hidden && (hidden->shape(0) != unary.shape(0) || hidden->shape(1) != unary.shape(1)))
    fail("hidden has the shape ({}, {}), where ({}, {}) belongs.", hidden->shape(0), hidden->shape(1),
         unary.shape(0), unary.shape(1));
  require_scores(pairwise.data(), K * K, "pairwise");
}

template <class F>
void add_counts(const ChainCounts& counts, std::size_t K, F sign, F* nodes, F* edges) {
  counts.for_each_node([&](std::size_t t, int k, double amount) {
    nodes[t * K + static_cast<std::size_t>(k)] += sign * static_cast<F>(amount);
  });
  counts.for_each_edge([&](int a, int c, double amount) {
    edges[static_cast<std::size_t>(a) * K + static_cast<std::size_t>(c)] += sign * static_cast<F>(amount);
  });
}

template <class F>
nb::tuple chain(const In<F, 3>& unary, const In<F, 2>& pairwise, const Lengths& lengths, const Mask& hidden,
                double output_temperature, double latent_temperature, std::size_t threads) {
  check_chain(unary, pairwise, lengths, hidden);
  const std::size_t B = unary.shape(0), T = unary.shape(1), K = unary.shape(2);
  std::vector<F> value(B), node(B * T * K), edge(B * K * K);
  {
    const nb::gil_scoped_release unlocked;
    pool().run(B, threads, [&](std::size_t b) {
      Chain& engine = scratch<Chain, struct PythonChain>();
      ChainScores& scores = scratch<ChainScores, struct PythonChainScores>();
      ChainCounts& counts = scratch<ChainCounts, struct PythonChainCounts>();
      fill_chain(unary, pairwise, hidden, b, length_of(lengths, b, T), scores);
      value[b] = static_cast<F>(engine.solve(scores, output_temperature, latent_temperature, counts));
      if (value[b] == static_cast<F>(kForbidden)) return;
      add_counts(counts, K, F{1}, node.data() + b * T * K, edge.data() + b * K * K);
    });
  }
  return nb::make_tuple(out_array(std::move(value), {B}), out_array(std::move(node), {B, T, K}),
                        out_array(std::move(edge), {B, K, K}));
}

// The labels of one chain, below 0 where they are hidden: what the losses of chains look at.
struct ChainLabels {
  const std::int64_t* y;
  std::size_t length, K;
  bool known(std::size_t t) const { return y[t] >= 0; }
  bool all_known() const {
    return std::all_of(y, y + length, [](std::int64_t k) { return k >= 0; });
  }

  // Every label but the known one costs rho.
  void add_loss(double rho, ChainScores& scores) const {
    for (std::size_t t = 0; t < length; ++t)
      if (known(t))
        for (std::size_t k = 0; k < K; ++k)
          if (k != static_cast<std::size_t>(y[t])) scores.node(t)[k] += rho;
  }
  void forbid_others(ChainScores& scores) const {
    for (std::size_t t = 0; t < length; ++t)
      if (known(t))
        for (std::size_t k = 0; k < K; ++k)
          if (k != static_cast<std::size_t>(y[t])) scores.node(t)[k] = kForbidden;
  }
  // Of labels that are all known: takes their parts from the counts, and returns their score.
  template <class F>
  double subtract(const F* unary, const F* pairwise, F* nodes, F* edges) const {
    double score = 0;
    for (std::size_t t = 0; t < length; ++t) {
      const auto k = static_cast<std::size_t>(y[t]);
      score += static_cast<double>(unary[t * K + k]);
      nodes[t * K + k] -= 1;
      if (t == 0) continue;
      const std::size_t pair = static_cast<std::size_t>(y[t - 1]) * K + k;
      score += static_cast<double>(pairwise[pair]);
      edges[pair] -= 1;
    }
    return score;
  }
};

// T over all labellings of score + rho errors, less T over those that the labels admit of score; and its gradient.
template <class F>
nb::tuple chain_loss(const In<F, 3>& unary, const In<F, 2>& pairwise, const In<std::int64_t, 2>& labels,
                     const Lengths& lengths, double rho, double output_temperature, double latent_temperature,
                     std::size_t threads) {
  check_chain(unary, pairwise, lengths, {});
  const std::size_t B = unary.shape(0), T = unary.shape(1), K = unary.shape(2);
  if (labels.shape(0) != B || labels.shape(1) != T)
    fail("labels has the shape ({}, {}), where ({}, {}) belongs.", labels.shape(0), labels.shape(1), B, T);
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t t = 0, length = length_of(lengths, b, T); t < length; ++t)
      if (const std::int64_t y = labels.data()[b * T + t]; y >= static_cast<std::int64_t>(K))
        fail("example {} has the label {}: labels are from 0 to {}, and below 0 where hidden.", b, y, K - 1);
  std::vector<F> value(B), node(B * T * K), edge(B * K * K);
  {
    const nb::gil_scoped_release unlocked;
    pool().run(B, threads, [&](std::size_t b) {
      Chain& engine = scratch<Chain, struct PythonChain>();
      ChainScores& scores = scratch<ChainScores, struct PythonChainScores>();
      ChainCounts& counts = scratch<ChainCounts, struct PythonChainCounts>();
      const ChainLabels y{labels.data() + b * T, length_of(lengths, b, T), K};
      F* const nodes = node.data() + b * T * K;
      F* const edges = edge.data() + b * K * K;
      fill_chain(unary, pairwise, {}, b, y.length, scores);
      if (rho != 0) y.add_loss(rho, scores);
      for (std::size_t t = 0; t < y.length; ++t)
        if (!y.known(t)) scores.hide(t);
      double loss = engine.solve(scores, output_temperature, latent_temperature, counts);
      if (loss != kForbidden) add_counts(counts, K, F{1}, nodes, edges);
      if (y.all_known()) {
        loss -= y.subtract(unary.data() + b * T * K, pairwise.data(), nodes, edges);
      } else {
        fill_chain(unary, pairwise, {}, b, y.length, scores);
        y.forbid_others(scores);
        const double admitted = engine.solve(scores, latent_temperature, latent_temperature, counts);
        if (admitted != kForbidden) add_counts(counts, K, F{-1}, nodes, edges);
        loss -= admitted;
      }
      value[b] = static_cast<F>(loss);
    });
  }
  return nb::make_tuple(out_array(std::move(value), {B}), out_array(std::move(node), {B, T, K}),
                        out_array(std::move(edge), {B, K, K}));
}

nb::tuple chain_best(const In<double, 3>& unary, const In<double, 2>& pairwise, const Lengths& lengths,
                     std::size_t threads) {
  check_chain(unary, pairwise, lengths, {});
  const std::size_t B = unary.shape(0), T = unary.shape(1);
  std::vector<double> value(B);
  std::vector<std::int64_t> label(B * T, -1);
  {
    const nb::gil_scoped_release unlocked;
    pool().run(B, threads, [&](std::size_t b) {
      Chain& engine = scratch<Chain, struct PythonChain>();
      ChainScores& scores = scratch<ChainScores, struct PythonChainScores>();
      ChainCounts& counts = scratch<ChainCounts, struct PythonChainCounts>();
      fill_chain(unary, pairwise, {}, b, length_of(lengths, b, T), scores);
      value[b] = engine.solve(scores, 0, 0, counts);
      if (value[b] == kForbidden) return;
      std::ranges::copy(counts.structure(), label.begin() + static_cast<std::ptrdiff_t>(b * T));
    });
  }
  return nb::make_tuple(out_array(std::move(value), {B}), out_array(std::move(label), {B, T}));
}

// Paths and their scores as arrays.
nb::tuple paths_out(const std::vector<std::pair<Path, double>>& paths, std::size_t length) {
  std::vector<double> value;
  std::vector<std::int64_t> label;
  for (const auto& [path, score] : paths) {
    value.push_back(score);
    label.insert(label.end(), path.begin(), path.end());
  }
  const std::size_t found = value.size();
  return nb::make_tuple(out_array(std::move(label), {found, length}), out_array(std::move(value), {found}));
}

// The k best paths of one chain: (labels, scores).
nb::tuple chain_top(const In<double, 3>& unary, const In<double, 2>& pairwise, std::size_t k) {
  check_chain(unary, pairwise, {}, {});
  if (unary.shape(0) != 1) fail("one chain at a time.");
  ChainScores scores;
  fill_chain(unary, pairwise, {}, 0, unary.shape(1), scores);
  return paths_out(Chain().top(scores, k), unary.shape(1));
}

// n-grams of three labels or more, which have weights beside the pairs.
struct Ngrams {
  std::shared_ptr<const ContextGraph> graph;
  Vector patterns;                 // of the pairs, then of the n-grams in the graph's order
  std::vector<std::size_t> order;  // the place of each of these where it was given

  Ngrams(const In<double, 2>& pairwise, const std::vector<Path>& ngrams, const In<double, 1>& weights)
      : patterns(pairwise.data(), pairwise.data() + pairwise.size()) {
    const std::size_t K = pairwise.shape(0);
    if (weights.size() != ngrams.size())
      fail("there are {} n-grams, but {} scores for them.", ngrams.size(), weights.size());
    for (const Path& ngram : ngrams)
      if (ngram.size() < 3 ||
          std::ranges::any_of(ngram, [&](int k) { return k < 0 || static_cast<std::size_t>(k) >= K; }))
        fail("an n-gram has three labels or more, each from 0 to {}.", K - 1);
    require_scores(weights.data(), weights.size(), "ngrams");
    graph = std::make_shared<const ContextGraph>(K, ngrams);
    for (const Path& listed : graph->ngrams()) {
      const auto place = std::ranges::find(ngrams, listed) - ngrams.begin();
      order.push_back(static_cast<std::size_t>(place));
      patterns.push_back(weights.data()[place]);
    }
    if (order.size() != ngrams.size()) fail("an n-gram is listed twice.");
  }

  void fill(const In<double, 3>& unary, std::size_t b, std::size_t length, ContextScores& scores) const {
    const std::size_t T = unary.shape(1), K = unary.shape(2);
    scores.shape(length, graph);
    scores.set_patterns(patterns.data());
    require_scores(unary.data() + b * T * K, length * K, b);
    for (std::size_t t = 0; t < length; ++t) std::copy_n(unary.data() + (b * T + t) * K, K, scores.node(t));
  }
};

nb::tuple context_chain(const In<double, 3>& unary, const In<double, 2>& pairwise,
                        const std::vector<Path>& ngrams, const In<double, 1>& weights, const Lengths& lengths,
                        const Mask& hidden, double output_temperature, double latent_temperature,
                        std::size_t threads) {
  check_chain(unary, pairwise, lengths, hidden);
  if (hidden && output_temperature > 0 && output_temperature != latent_temperature)
    fail(
        "hidden positions of chains with n-grams need one temperature, or 0 for outputs: no recursion and no "
        "search has ({}, {}).",
        output_temperature, latent_temperature);
  const std::size_t B = unary.shape(0), T = unary.shape(1), K = unary.shape(2), N = ngrams.size();
  const Ngrams table(pairwise, ngrams, weights);
  std::vector<double> value(B), node(B * T * K), edge(B * K * K), ngram(B * N);
  {
    const nb::gil_scoped_release unlocked;
    pool().run(B, threads, [&](std::size_t b) {
      ContextChain& engine = scratch<ContextChain, struct PythonContextChain>();
      ContextScores& scores = scratch<ContextScores, struct PythonContextScores>();
      ContextCounts& counts = scratch<ContextCounts, struct PythonContextCounts>();
      const std::size_t length = length_of(lengths, b, T);
      table.fill(unary, b, length, scores);
      for (std::size_t t = 0; t < length; ++t)
        if (hidden && hidden->data()[b * T + t]) scores.hide(t);
      value[b] = engine.solve(scores, output_temperature, latent_temperature, counts);
      if (value[b] == kForbidden) return;
      counts.for_each_node([&](std::size_t t, int k, double amount) {
        node[(b * T + t) * K + static_cast<std::size_t>(k)] += amount;
      });
      if (length > 1)
        counts.for_each_pattern([&](Index pattern, double amount) {
          if (pattern < K * K)
            edge[b * K * K + pattern] += amount;
          else
            ngram[b * N + table.order[pattern - K * K]] += amount;
        });
    });
  }
  return nb::make_tuple(out_array(std::move(value), {B}), out_array(std::move(node), {B, T, K}),
                        out_array(std::move(edge), {B, K, K}), out_array(std::move(ngram), {B, N}));
}

// The same of one chain with n-grams.
nb::tuple context_top(const In<double, 3>& unary, const In<double, 2>& pairwise,
                      const std::vector<Path>& ngrams, const In<double, 1>& weights, std::size_t k) {
  check_chain(unary, pairwise, {}, {});
  ContextScores scores;
  Ngrams(pairwise, ngrams, weights).fill(unary, 0, unary.shape(1), scores);
  return paths_out(ContextChain().top(scores, k), unary.shape(1));
}

// Paths of one chain with n-grams, drawn from exp(score / τ): a forest whose nodes are contexts at positions.
nb::object context_drawn(const In<double, 3>& unary, const In<double, 2>& pairwise,
                         const std::vector<Path>& ngrams, const In<double, 1>& weights, std::size_t count,
                         double temperature, std::uint64_t seed) {
  check_chain(unary, pairwise, {}, {});
  const std::size_t T = unary.shape(1), K = unary.shape(2);
  ContextScores scores;
  Ngrams(pairwise, ngrams, weights).fill(unary, 0, T, scores);
  const ContextGraph& graph = *scores.graph();
  struct Way {
    std::size_t from, label;  // the context before
  };
  std::vector<std::vector<Way>> into(graph.size());
  for (std::size_t from = 0; from < graph.size(); ++from)
    for (std::size_t k = 0; k < K; ++k) into[graph.next(from, k)].push_back({from, k});
  Listing list(T, -1);
  std::vector<Index> before(graph.size(), PackedForest::kNone), now = before;
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t to = 0; to < graph.size(); ++to) {
      now[to] = list.forest().add_node();
      if (t == 0) {
        const std::size_t k = graph.label(to);
        if (graph.single(k) == to)
          list.forest().add_edge(list.add_part(scores.node(0)[k], 0, static_cast<std::int64_t>(k)));
        continue;
      }
      for (const Way& way : into[to])
        list.forest().add_edge(list.add_part(scores.step(way.from)[way.label] + scores.node(t)[way.label], t,
                                             static_cast<std::int64_t>(way.label)),
                               before[way.from]);
    }
    before.swap(now);
  }
  list.forest().add_node();
  const Index end = list.add_part(0);
  for (const Index last : before) list.forest().add_edge(end, last);
  return list.draw(count, temperature, seed);
}

}  // namespace

void bind_chains(nb::module_& m) {
  m.def("chain", &chain<double>, "unary"_a.noconvert(), "pairwise"_a.noconvert(), "lengths"_a.none(),
        "hidden"_a.none(), "output_temperature"_a, "latent_temperature"_a, "threads"_a);
  m.def("chain", &chain<float>, "unary"_a.noconvert(), "pairwise"_a.noconvert(), "lengths"_a.none(),
        "hidden"_a.none(), "output_temperature"_a, "latent_temperature"_a, "threads"_a);
  m.def("chain_loss", &chain_loss<double>, "unary"_a.noconvert(), "pairwise"_a.noconvert(), "labels"_a,
        "lengths"_a.none(), "rho"_a, "output_temperature"_a, "latent_temperature"_a, "threads"_a);
  m.def("chain_loss", &chain_loss<float>, "unary"_a.noconvert(), "pairwise"_a.noconvert(), "labels"_a,
        "lengths"_a.none(), "rho"_a, "output_temperature"_a, "latent_temperature"_a, "threads"_a);
  m.def("chain_best", &chain_best, "unary"_a, "pairwise"_a, "lengths"_a.none(), "threads"_a);
  m.def("chain_top", &chain_top, "unary"_a, "pairwise"_a, "k"_a);
  m.def("context_chain", &context_chain, "unary"_a, "pairwise"_a, "ngrams"_a, "weights"_a, "lengths"_a.none(),
        "hidden"_a.none(), "output_temperature"_a, "latent_temperature"_a, "threads"_a);
  m.def("context_top", &context_top, "unary"_a, "pairwise"_a, "ngrams"_a, "weights"_a, "k"_a);
  m.def("context_drawn", &context_drawn, "unary"_a, "pairwise"_a, "ngrams"_a, "weights"_a, "count"_a,
        "temperature"_a, "seed"_a);
}

}  // namespace hinge::python
