// Graphs as functions on arrays.
#include <map>

#include "engines.h"
#include "hinge/core/random.h"
#include "hinge/core/workspace.h"
#include "hinge/inference/best_assignments.h"
#include "hinge/inference/graph_engine.h"
#include "hinge/inference/graph_sampler.h"

namespace hinge::python {
namespace {

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
  require_scores(pairwise.data(), E * K * K, "pairwise");
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
      engine.settings.max_cells = static_cast<std::uint64_t>(std::min(number, 0x1p62));
    else if (name == "max_sweeps")
      engine.settings.max_sweeps = static_cast<int>(std::min(number, 0x1p30));
    else
      fail("the graph engine has no setting '{}': it has max_cells and max_sweeps.", name);
  std::vector<double> nodes(N * K), tables(E * K * K);
  std::vector<std::int64_t> label(N, -1);
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
    if (value != kForbidden) {
      std::copy_n(counts.node(0), N * K, nodes.begin());
      if (E > 0) std::copy_n(counts.edge(0), E * K * K, tables.begin());
      const Assignment s = output_temperature == 0 ? counts.structure() : counts.most_probable();
      label.assign(s.begin(), s.end());
    }
  }
  return nb::make_tuple(value, out_array(std::move(nodes), {N, K}), out_array(std::move(tables), {E, K, K}),
                        out_array(std::move(label), {N}), engine.answer().exact,
                        std::string(GraphEngine::ways[engine.answer().way]));
}

// The k best assignments: (labels, scores, whether they are for certain).
nb::tuple graph_top(const In<double, 2>& unary, const In<std::int64_t, 2>& edges,
                    const In<double, 3>& pairwise, std::size_t k) {
  const std::vector<Graph::Edge> list = graph_edges(unary, edges, pairwise);
  const std::size_t N = unary.shape(0);
  std::vector<double> value;
  std::vector<std::int64_t> label;
  bool exact = true;
  {
    const nb::gil_scoped_release unlocked;
    const Graph shape(std::vector<Index>(N, static_cast<Index>(unary.shape(1))), list);
    GraphScores scores;
    fill_graph(unary, pairwise, shape, scores);
    GraphEngine engine;
    const BestAssignments best = best_assignments(engine, scores, k);
    exact = best.exact;
    for (const auto& [s, score] : best.found) {
      label.insert(label.end(), s.begin(), s.end());
      value.push_back(score);
    }
  }
  const std::size_t found = value.size();
  return nb::make_tuple(out_array(std::move(label), {found, N}), out_array(std::move(value), {found}), exact);
}

// Chains whose steps have tables of their own, (batch, positions - 1, labels, labels): graphs that elimination solves.
template <class F>
nb::tuple steps(const In<F, 3>& unary, const In<F, 4>& pairwise, const Lengths& lengths, const Mask& hidden,
                double output_temperature, double latent_temperature, std::size_t threads) {
  const std::size_t B = unary.shape(0), T = unary.shape(1), K = unary.shape(2), S = K * K;
  if (T == 0 || K == 0) fail("unary has the shape ({}, {}, {}): it is empty.", B, T, K);
  if (pairwise.shape(0) != B || pairwise.shape(1) != T - 1 ||
      (T > 1 && (pairwise.shape(2) != K || pairwise.shape(3) != K)))
    fail("pairwise has the shape ({}, {}, {}, {}), where ({}, {}, {}, {}) belongs.", pairwise.shape(0),
         pairwise.shape(1), pairwise.shape(2), pairwise.shape(3), B, T - 1, K, K);
  if (lengths && lengths->size() != B) fail("there are {} lengths for {} sequences.", lengths->size(), B);
  if (hidden && (hidden->shape(0) != B || hidden->shape(1) != T))
    fail("hidden has the shape ({}, {}), where ({}, {}) belongs.", hidden->shape(0), hidden->shape(1), B, T);
  std::vector<F> value(B), node(B * T * K), edge(B * (T - 1) * S);
  {
    const nb::gil_scoped_release unlocked;
    std::map<std::size_t, Graph> shapes;  // by length: their plans are kept
    for (std::size_t b = 0; b < B; ++b) {
      const std::size_t n = length_of(lengths, b, T);
      std::vector<Graph::Edge> list;
      for (std::size_t t = 0; t + 1 < n; ++t)
        list.push_back({static_cast<Index>(t), static_cast<Index>(t + 1)});
      shapes.try_emplace(n, std::vector<Index>(n, static_cast<Index>(K)), list);
    }
    pool().run(B, threads, [&](std::size_t b) {
      const std::size_t n = length_of(lengths, b, T);
      const F* const nodes = unary.data() + b * T * K;
      const F* const tables = pairwise.data() + b * (T - 1) * S;
      require_scores(nodes, n * K, b);
      require_scores(tables, (n - 1) * S, b);
      GraphEngine& engine = scratch<GraphEngine, struct PythonSteps>();
      GraphScores& scores = scratch<GraphScores, struct PythonStepScores>();
      GraphCounts& counts = scratch<GraphCounts, struct PythonStepCounts>();
      scores.shape(shapes.at(n));
      std::copy_n(nodes, n * K, scores.node(0));
      if (n > 1) std::copy_n(tables, (n - 1) * S, scores.edge(0));
      for (std::size_t t = 0; t < n; ++t)
        if (hidden && hidden->data()[b * T + t]) scores.hide(t);
      value[b] = static_cast<F>(engine.solve(scores, output_temperature, latent_temperature, counts));
      if (value[b] == static_cast<F>(kForbidden)) return;
      std::copy_n(counts.node(0), n * K, node.begin() + static_cast<std::ptrdiff_t>(b * T * K));
      if (n > 1)
        std::copy_n(counts.edge(0), (n - 1) * S, edge.begin() + static_cast<std::ptrdiff_t>(b * (T - 1) * S));
    });
  }
  return nb::make_tuple(out_array(std::move(value), {B}), out_array(std::move(node), {B, T, K}),
                        out_array(std::move(edge), {B, T - 1, K, K}));
}

// Assignments (count, nodes) drawn from exp(score / temperature).
nb::object graph_samples(const In<double, 2>& unary, const In<std::int64_t, 2>& edges,
                         const In<double, 3>& pairwise, std::size_t count, double temperature,
                         std::uint64_t seed) {
  const std::vector<Graph::Edge> list = graph_edges(unary, edges, pairwise);
  if (!(temperature > 0) || !std::isfinite(temperature))
    fail("samples need a positive temperature, not {}.", temperature);
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
      if (k == 0 && scores.of(s) == kForbidden) fail("every structure is forbidden.");
      label.insert(label.end(), s.begin(), s.end());
    }
  }
  return out_array(std::move(label), {count, N});
}

}  // namespace

void bind_graphs(nb::module_& m) {
  m.def("graph", &graph, "unary"_a, "edges"_a, "pairwise"_a, "hidden"_a.none(), "output_temperature"_a,
        "latent_temperature"_a, "settings"_a);
  m.def("graph_top", &graph_top, "unary"_a, "edges"_a, "pairwise"_a, "k"_a);
  m.def("steps", &steps<double>, "unary"_a.noconvert(), "pairwise"_a.noconvert(), "lengths"_a.none(),
        "hidden"_a.none(), "output_temperature"_a, "latent_temperature"_a, "threads"_a);
  m.def("steps", &steps<float>, "unary"_a.noconvert(), "pairwise"_a.noconvert(), "lengths"_a.none(),
        "hidden"_a.none(), "output_temperature"_a, "latent_temperature"_a, "threads"_a);
  m.def("graph_samples", &graph_samples, "unary"_a, "edges"_a, "pairwise"_a, "count"_a, "temperature"_a,
        "seed"_a);
}

}  // namespace hinge::python
