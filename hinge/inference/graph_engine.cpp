#include "hinge/inference/graph_engine.h"

#include <algorithm>

#include "hinge/core/errors.h"
#include "hinge/inference/graph_plans.h"

namespace hinge {
namespace {

constexpr int kOpen = GraphScores::kOpen;

}  // namespace

double GraphEngine::solve(const Scores& scores, double output_temperature, double latent_temperature,
                          Counts& counts) {
  const Graph& graph = scores.graph();
  const bool hard = output_temperature == 0 && latent_temperature == 0;
  const bool hidden_first = output_temperature != latent_temperature;
  roles_.resize(graph.nodes());
  for (std::size_t i = 0; i < graph.nodes(); ++i)
    roles_[i] = static_cast<char>(scores.observed(i) != kOpen        ? Role::observed
                                  : hidden_first && scores.hidden(i) ? Role::hidden
                                                                     : Role::output);
  const auto plan = graph.plans().get(graph, roles_, settings.max_cells);
  if (!plan->feasible()) fail("the graph is too wide for exact inference.");
  answer_ = {};

  const double fixed = condition(scores);
  const double value =
      fixed + elimination_.forward(*plan, scores, output_temperature, latent_temperature, unary_);
  counts.begin(graph, hard);
  if (value == kForbidden) return value;
  Assignment& winner = counts.winner();
  for (std::size_t i = 0; i < graph.nodes(); ++i)
    if (scores.observed(i) != kOpen) winner[i] = scores.observed(i);
  if (hard) {
    elimination_.decode(*plan, scores, unary_, winner);
    counts.use(winner);
  } else {
    elimination_.backward(*plan, scores, unary_, counts);
    count_observed(scores, counts);
    if (output_temperature == 0)
      for (std::size_t i = 0; i < graph.nodes(); ++i)
        winner[i] = static_cast<int>(arg_max({counts.node(i), graph.states(i)}));
  }
  return value;
}

double GraphEngine::condition(const Scores& scores) {
  const Graph& graph = scores.graph();
  unary_.assign(scores.node(0), scores.node(0) + graph.node_cells());
  double fixed = 0;
  for (std::size_t i = 0; i < graph.nodes(); ++i)
    if (scores.observed(i) != kOpen) fixed += scores.node(i)[scores.observed(i)];
  for (std::size_t e = 0; e < graph.edges(); ++e) {
    const auto [from, to] = graph.edge(e);
    const int a = scores.observed(from), b = scores.observed(to);
    if (a == kOpen && b == kOpen) continue;
    const std::size_t K = graph.states(to);
    const double* table = scores.edge(e);
    if (a != kOpen && b != kOpen) {
      fixed += table[static_cast<std::size_t>(a) * K + static_cast<std::size_t>(b)];
    } else if (a != kOpen) {
      double* open = unary_.data() + graph.node_begin(to);
      for (std::size_t k = 0; k < K; ++k) open[k] += table[static_cast<std::size_t>(a) * K + k];
    } else {
      double* open = unary_.data() + graph.node_begin(from);
      for (std::size_t k = 0; k < graph.states(from); ++k)
        open[k] += table[k * K + static_cast<std::size_t>(b)];
    }
  }
  return fixed;
}

void GraphEngine::count_observed(const Scores& scores, Counts& counts) const {
  const Graph& graph = scores.graph();
  for (std::size_t i = 0; i < graph.nodes(); ++i)
    if (scores.observed(i) != kOpen) counts.node(i)[scores.observed(i)] = 1;
  for (std::size_t e = 0; e < graph.edges(); ++e) {
    const auto [from, to] = graph.edge(e);
    const int a = scores.observed(from), b = scores.observed(to);
    const std::size_t K = graph.states(to);
    if (a != kOpen)
      std::copy_n(counts.node(to), K, counts.edge(e) + static_cast<std::size_t>(a) * K);
    else if (b != kOpen)
      for (std::size_t k = 0; k < graph.states(from); ++k)
        counts.edge(e)[k * K + static_cast<std::size_t>(b)] = counts.node(from)[k];
  }
}

Assignment GraphEngine::outputs(const Scores& scores, const Assignment& s) {
  Assignment shown = s;
  for (std::size_t i = 0; i < s.size(); ++i)
    if (scores.hidden(i)) shown[i] = kOpen;
  return shown;
}

}  // namespace hinge
