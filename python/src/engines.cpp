// Engines as functions on arrays: scores in; the value T_τ over all structures, and how often each part is used,
// which is its gradient, out. Batches are spread over threads; the interpreter's lock is not held.
#include <cmath>
#include <concepts>
#include <mutex>

#include "binding.h"
#include "hinge/core/errors.h"
#include "hinge/core/random.h"
#include "hinge/core/workspace.h"
#include "hinge/inference/chain.h"
#include "hinge/inference/chart.h"
#include "hinge/inference/choice.h"
#include "hinge/inference/context_chain.h"
#include "hinge/inference/correlation_clustering.h"
#include "hinge/inference/graph_engine.h"
#include "hinge/inference/graph_sampler.h"
#include "hinge/inference/spanning_forest.h"
#include "hinge/inference/top_k.h"
#include "hinge/parallel/thread_executor.h"

namespace hinge::python {
namespace {

using Lengths = std::optional<In<std::int64_t, 1>>;
using Mask = std::optional<In<bool, 2>>;

// One pool of threads, made anew where another number is asked for.
class Pool {
 public:
  template <class Body>
  void run(std::size_t count, std::size_t threads, const Body& body) {
    if (threads == 1 || count == 1) return SerialExecutor().run(count, body);
    const std::lock_guard lock(mutex_);
    if (!executor_ || threads_ != threads) executor_ = make_executor(threads), threads_ = threads;
    executor_->run(count, body);
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<Executor> executor_;
  std::size_t threads_ = 0;
};
Pool& pool() {
  static Pool* const one = new Pool;  // never destroyed: threads must not be joined while Python ends
  return *one;
}

std::size_t length_of(const Lengths& lengths, std::size_t b, std::size_t whole) {
  if (!lengths) return whole;
  const std::int64_t length = lengths->data()[b];
  if (length < 1 || static_cast<std::size_t>(length) > whole)
    fail("the length of example {} is {}: it must be from 1 to {}.", b, length, whole);
  return static_cast<std::size_t>(length);
}

// Scores that are no number would make every answer one.
template <class F>
void require_scores(const F* from, std::size_t count, std::size_t b) {
  for (std::size_t k = 0; k < count; ++k)
    if (std::isnan(from[k]) || from[k] == std::numeric_limits<F>::infinity())
      fail("a score of example {} is {}: give finite numbers, or -inf for what is forbidden.", b, from[k]);
}

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
  require_scores(pairwise.data(), K * K, 0);
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
  for (std::size_t k = 0; k < labels.size(); ++k)
    if (labels.data()[k] >= static_cast<std::int64_t>(K))
      fail("a label is {}: labels are from 0 to {}, and below 0 where hidden.", labels.data()[k], K - 1);
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
      add_counts(counts, K, F{1}, nodes, edges);
      if (y.all_known()) {
        loss -= y.subtract(unary.data() + b * T * K, pairwise.data(), nodes, edges);
      } else {
        fill_chain(unary, pairwise, {}, b, y.length, scores);
        y.forbid_others(scores);
        loss -= engine.solve(scores, latent_temperature, latent_temperature, counts);
        add_counts(counts, K, F{-1}, nodes, edges);
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
      std::ranges::copy(counts.structure(), label.begin() + static_cast<std::ptrdiff_t>(b * T));
    });
  }
  return nb::make_tuple(out_array(std::move(value), {B}), out_array(std::move(label), {B, T}));
}

// The k best paths of one chain: (labels, scores).
nb::tuple chain_top(const In<double, 3>& unary, const In<double, 2>& pairwise, std::size_t k) {
  check_chain(unary, pairwise, {}, {});
  if (unary.shape(0) != 1) fail("one chain at a time.");
  ChainScores scores;
  fill_chain(unary, pairwise, {}, 0, unary.shape(1), scores);
  std::vector<double> value;
  std::vector<std::int64_t> label;
  for (const auto& [path, score] : Chain().top(scores, k)) {
    value.push_back(score);
    label.insert(label.end(), path.begin(), path.end());
  }
  const std::size_t found = value.size();
  return nb::make_tuple(out_array(std::move(label), {found, unary.shape(1)}),
                        out_array(std::move(value), {found}));
}

// Paths drawn from exp(score / τ), of one chain: backwards sums, then label by label.
nb::object chain_samples(const In<double, 3>& unary, const In<double, 2>& pairwise, std::size_t count,
                         double temperature, std::uint64_t seed) {
  check_chain(unary, pairwise, {}, {});
  if (!(temperature > 0)) fail("samples need a positive temperature, not {}.", temperature);
  const std::size_t T = unary.shape(1), K = unary.shape(2);
  const double *u = unary.data(), *p = pairwise.data();
  require_scores(u, T * K, 0);
  std::vector<double> behind(T * K, 0.0), offer(K), share(K);
  for (std::size_t t = T - 1; t-- > 0;)
    for (std::size_t a = 0; a < K; ++a) {
      for (std::size_t c = 0; c < K; ++c)
        offer[c] = p[a * K + c] + u[(t + 1) * K + c] + behind[(t + 1) * K + c];
      behind[t * K + a] = smooth_max(offer, temperature, share);
    }
  Random random(seed);
  std::vector<std::int64_t> label(count * T);
  for (std::size_t n = 0; n < count; ++n) {
    std::size_t before = 0;
    for (std::size_t t = 0; t < T; ++t) {
      for (std::size_t c = 0; c < K; ++c)
        offer[c] = (t == 0 ? 0 : p[before * K + c]) + u[t * K + c] + behind[t * K + c];
      if (smooth_max(offer, temperature, share) == kForbidden) fail("every path is forbidden.");
      double left = random.uniform();
      std::size_t c = 0;
      while (c + 1 < K && left >= share[c]) left -= share[c++];
      while (share[c] == 0 && c > 0) --c;  // rounding must not choose what is forbidden
      label[n * T + t] = static_cast<std::int64_t>(before = c);
    }
  }
  return out_array(std::move(label), {count, T});
}

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

// n-grams of three labels or more have weights beside the pairs.
nb::tuple context_chain(const In<double, 3>& unary, const In<double, 2>& pairwise, std::vector<Path> ngrams,
                        const In<double, 1>& weights, const Lengths& lengths, const Mask& hidden,
                        double output_temperature, double latent_temperature, std::size_t threads) {
  check_chain(unary, pairwise, lengths, hidden);
  const std::size_t B = unary.shape(0), T = unary.shape(1), K = unary.shape(2);
  if (weights.size() != ngrams.size())
    fail("there are {} n-grams, but {} scores for them.", ngrams.size(), weights.size());
  for (const Path& ngram : ngrams)
    if (ngram.size() < 3 ||
        std::ranges::any_of(ngram, [&](int k) { return k < 0 || static_cast<std::size_t>(k) >= K; }))
      fail("an n-gram has three labels or more, each from 0 to {}.", K - 1);
  const std::size_t N = ngrams.size();
  std::vector<std::size_t> order(N);
  const auto graph = std::make_shared<const ContextGraph>(K, ngrams);
  Vector patterns(pairwise.data(), pairwise.data() + K * K);
  for (const Path& listed : graph->ngrams()) {
    const auto place = std::ranges::find(ngrams, listed) - ngrams.begin();
    order[patterns.size() - K * K] = static_cast<std::size_t>(place);
    patterns.push_back(weights.data()[place]);
  }
  if (patterns.size() != K * K + N) fail("an n-gram is listed twice.");
  std::vector<double> value(B), node(B * T * K), edge(B * K * K), ngram(B * N);
  {
    const nb::gil_scoped_release unlocked;
    pool().run(B, threads, [&](std::size_t b) {
      ContextChain& engine = scratch<ContextChain, struct PythonContextChain>();
      ContextScores& scores = scratch<ContextScores, struct PythonContextScores>();
      ContextCounts& counts = scratch<ContextCounts, struct PythonContextCounts>();
      const std::size_t length = length_of(lengths, b, T);
      scores.shape(length, graph);
      scores.set_patterns(patterns.data());
      require_scores(unary.data() + b * T * K, length * K, b);
      for (std::size_t t = 0; t < length; ++t) {
        std::copy_n(unary.data() + (b * T + t) * K, K, scores.node(t));
        if (hidden && hidden->data()[b * T + t]) scores.hide(t);
      }
      value[b] = engine.solve(scores, output_temperature, latent_temperature, counts);
      counts.for_each_node([&](std::size_t t, int k, double amount) {
        node[(b * T + t) * K + static_cast<std::size_t>(k)] += amount;
      });
      if (length > 1)
        counts.for_each_pattern([&](Index pattern, double amount) {
          if (pattern < K * K)
            edge[b * K * K + pattern] += amount;
          else
            ngram[b * N + order[pattern - K * K]] += amount;
        });
    });
  }
  return nb::make_tuple(out_array(std::move(value), {B}), out_array(std::move(node), {B, T, K}),
                        out_array(std::move(edge), {B, K, K}), out_array(std::move(ngram), {B, N}));
}

// The edges of a graph, nodes of K states each, once everything about it is looked at.
std::vector<Graph::Edge> graph_edges(const In<double, 2>& unary, const In<std::int64_t, 2>& edges,
                                     const In<double, 3>& pairwise) {
  const std::size_t N = unary.shape(0), K = unary.shape(1), E = edges.shape(0);
  if (N == 0 || K == 0) fail("unary has the shape ({}, {}): it is empty.", N, K);
  if (E > 0 &&
      (edges.shape(1) != 2 || pairwise.shape(0) != E || pairwise.shape(1) != K || pairwise.shape(2) != K))
    fail("edges are ({}, 2) and pairwise ({}, {}, {}), where ({}, {}, {}) was given.", E, E, K, K,
         pairwise.shape(0), pairwise.shape(1), pairwise.shape(2));
  require_scores(unary.data(), N * K, 0);
  require_scores(pairwise.data(), E * K * K, 0);
  std::vector<Graph::Edge> list;
  std::vector<std::pair<std::int64_t, std::int64_t>> seen;
  for (std::size_t e = 0; e < E; ++e) {
    const std::int64_t from = edges.data()[2 * e], to = edges.data()[2 * e + 1];
    const auto count = static_cast<std::int64_t>(N);
    if (from < 0 || to < 0 || from >= count || to >= count || from == to)
      fail("edge {} goes from {} to {}: its ends are two nodes from 0 to {}.", e, from, to, N - 1);
    seen.push_back(std::minmax(from, to));
    list.push_back({static_cast<Index>(from), static_cast<Index>(to)});
  }
  std::ranges::sort(seen);
  if (std::ranges::adjacent_find(seen) != seen.end())
    fail("two edges join the same nodes: add up their tables.");
  return list;
}

void fill_graph(const In<double, 2>& unary, const In<double, 3>& pairwise, const Graph& shape,
                GraphScores& scores) {
  scores.shape(shape);
  std::copy_n(unary.data(), unary.size(), scores.node(0));
  if (shape.edges() > 0) std::copy_n(pairwise.data(), pairwise.size(), scores.edge(0));
}

// Nodes of K states each; edges (from, to) with a table each. Returns value, counts of nodes and edges, the
// assignment, whether that is exact, and by which way.
nb::tuple graph(const In<double, 2>& unary, const In<std::int64_t, 2>& edges, const In<double, 3>& pairwise,
                const std::optional<In<bool, 1>>& hidden, double output_temperature,
                double latent_temperature, const std::map<std::string, double>& settings) {
  const std::vector<Graph::Edge> list = graph_edges(unary, edges, pairwise);
  const std::size_t N = unary.shape(0), K = unary.shape(1), E = list.size();
  if (hidden && hidden->size() != N) fail("hidden has {} entries for {} nodes.", hidden->size(), N);
  GraphEngine engine;
  for (const auto& [name, number] : settings)
    if (name == "max_cells")
      engine.settings.max_cells = static_cast<std::uint64_t>(number);
    else if (name == "max_sweeps")
      engine.settings.max_sweeps = static_cast<int>(number);
    else
      fail("the graph engine has no setting '{}': it has max_cells and max_sweeps.", name);
  std::vector<double> nodes(N * K), tables(E * K * K);
  std::vector<std::int64_t> label(N);
  double value = 0;
  {
    const nb::gil_scoped_release unlocked;
    const Graph shape(std::vector<Index>(N, static_cast<Index>(K)), list);
    GraphScores scores;
    GraphCounts counts;
    fill_graph(unary, pairwise, shape, scores);
    if (hidden)
      for (std::size_t i = 0; i < N; ++i)
        if (hidden->data()[i]) scores.hide(i);
    value = engine.solve(scores, output_temperature, latent_temperature, counts);
    std::copy_n(counts.node(0), N * K, nodes.begin());
    if (E > 0) std::copy_n(counts.edge(0), E * K * K, tables.begin());
    const Assignment s = output_temperature == 0 ? counts.structure() : counts.most_probable();
    label.assign(s.begin(), s.end());
  }
  return nb::make_tuple(value, out_array(std::move(nodes), {N, K}), out_array(std::move(tables), {E, K, K}),
                        out_array(std::move(label), {N}), engine.answer().exact,
                        std::string(GraphEngine::ways[engine.answer().way]));
}

// Assignments (count, nodes) drawn from exp(score / temperature).
nb::object graph_samples(const In<double, 2>& unary, const In<std::int64_t, 2>& edges,
                         const In<double, 3>& pairwise, std::size_t count, double temperature,
                         std::uint64_t seed) {
  const std::vector<Graph::Edge> list = graph_edges(unary, edges, pairwise);
  if (!(temperature > 0)) fail("samples need a positive temperature.");
  const std::size_t N = unary.shape(0);
  std::vector<std::int64_t> label;
  {
    const nb::gil_scoped_release unlocked;
    const Graph shape(std::vector<Index>(N, static_cast<Index>(unary.shape(1))), list);
    GraphScores scores;
    fill_graph(unary, pairwise, shape, scores);
    Vector cooled(scores.parts());
    scores.get(cooled);
    for (double& value : cooled) value /= temperature;
    scores.set(cooled);
    const GraphSampler sampler(scores);
    Random random(seed);
    for (std::size_t k = 0; k < count; ++k) {
      const Assignment s = sampler.draw(random);
      label.insert(label.end(), s.begin(), s.end());
    }
  }
  return out_array(std::move(label), {count, N});
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
      std::ranges::copy(counts.amounts(), count.begin() + static_cast<std::ptrdiff_t>(b * n));
    });
  }
  return nb::make_tuple(out_array(std::move(value), {B}), out_array(std::move(count), {B, n}));
}

// `pairs` are of (0, 1), (0, 2), (1, 2), (0, 3), ...: the best forest of links, or the best clusters.
template <class Engine>
nb::tuple pairs_best(const In<double, 1>& pairs, std::size_t items) {
  if (pairs.size() != first_pair(items))
    fail("there are {} pairs of {} items, not {}.", first_pair(items), items, pairs.size());
  require_scores(pairs.data(), pairs.size(), 0);
  Engine engine;
  typename Engine::Scores scores;
  typename Engine::Counts counts;
  std::vector<double> count(pairs.size());
  std::vector<std::int64_t> cluster(items);
  double value = 0;
  {
    const nb::gil_scoped_release unlocked;
    scores.shape(items);
    std::copy_n(pairs.data(), pairs.size(), scores.values().begin());
    value = engine.solve(scores, 0, 0, counts);
    counts.for_each_use([&](std::size_t pair, double amount) { count[pair] += amount; });
    const Partition y = Engine::partition(items, counts.structure());
    cluster.assign(y.begin(), y.end());
  }
  const std::size_t size = count.size();
  return nb::make_tuple(value, out_array(std::move(count), {size}), out_array(std::move(cluster), {items}),
                        engine.answer().exact);
}

}  // namespace

void bind_engines(nb::module_& m) {
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
  m.def("chain_samples", &chain_samples, "unary"_a, "pairwise"_a, "count"_a, "temperature"_a, "seed"_a);
  m.def("context_chain", &context_chain, "unary"_a, "pairwise"_a, "ngrams"_a, "weights"_a, "lengths"_a.none(),
        "hidden"_a.none(), "output_temperature"_a, "latent_temperature"_a, "threads"_a);
  m.def("graph", &graph, "unary"_a, "edges"_a, "pairwise"_a, "hidden"_a.none(), "output_temperature"_a,
        "latent_temperature"_a, "settings"_a);
  m.def("graph_samples", &graph_samples, "unary"_a, "edges"_a, "pairwise"_a, "count"_a, "temperature"_a,
        "seed"_a);
  m.def("trees", &trees, "scores"_a, "lengths"_a.none(), "temperature"_a, "threads"_a);
  m.def("choice", &choice<double>, "scores"_a.noconvert(), "temperature"_a, "threads"_a);
  m.def("choice", &choice<float>, "scores"_a.noconvert(), "temperature"_a, "threads"_a);
  m.def("top_k", &top_k, "scores"_a, "position"_a, "temperature"_a, "threads"_a);
  m.def("spanning_forest", &pairs_best<SpanningForest>, "pairs"_a, "items"_a);
  m.def("clusters", &pairs_best<CorrelationClustering>, "pairs"_a, "items"_a);
}

}  // namespace hinge::python
