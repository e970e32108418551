#include "hinge/inference/elimination.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "hinge/core/clones.h"
#include "hinge/core/kernels.h"

namespace hinge {
namespace {

using Axis = GraphPlan::Axis;

// Calls run(cell of F, cell of the table) for each run of cells along the innermost axis.
template <class Run>
[[gnu::always_inline]] inline void for_each_run(std::span<const Axis> axes, Run&& run) {
  constexpr std::size_t kMostAxes =
      64;  // each but a single one has two states or more, and cells are counted
  const std::size_t outer = axes.size() - 1, length = axes[outer].extent;
  assert(outer < kMostAxes);
  std::size_t state[kMostAxes] = {}, source = 0;
  for (std::size_t cell = 0;; cell += length) {
    run(cell, source);
    std::size_t a = outer;
    while (a > 0 && ++state[a - 1] == axes[a - 1].extent) {
      --a;
      source -= (axes[a].extent - 1) * axes[a].stride;
      state[a] = 0;
    }
    if (a == 0) return;
    source += axes[a - 1].stride;
  }
}

// table += source, spread over the axes it lacks
HINGE_CLONES void pour(double* __restrict table, const double* __restrict source,
                       std::span<const Axis> axes) {
  const auto [extent, stride] = axes.back();
  if (stride == 0)
    for_each_run(
        axes, [&](std::size_t cell, std::size_t from) __attribute__((always_inline)) {
          const double value = source[from];
          for (std::size_t k = 0; k < extent; ++k) table[cell + k] += value;
        });
  else if (stride == 1)
    for_each_run(
        axes, [&](std::size_t cell, std::size_t from) __attribute__((always_inline)) {
          for (std::size_t k = 0; k < extent; ++k) table[cell + k] += source[from + k];
        });
  else
    for_each_run(
        axes, [&](std::size_t cell, std::size_t from) __attribute__((always_inline)) {
          for (std::size_t k = 0; k < extent; ++k) table[cell + k] += source[from + k * stride];
        });
}

// source += table, summed over the axes it lacks: the adjoint of pour
HINGE_CLONES void gather(const double* __restrict table, double* __restrict source,
                         std::span<const Axis> axes) {
  const auto [extent, stride] = axes.back();
  if (stride == 0)
    for_each_run(
        axes, [&](std::size_t cell, std::size_t to) __attribute__((always_inline)) {
          double sum[4] = {};
          std::size_t k = 0;
          for (; k + 4 <= extent; k += 4)
            for (std::size_t lane = 0; lane < 4; ++lane) sum[lane] += table[cell + k + lane];
          for (; k < extent; ++k) sum[0] += table[cell + k];
          source[to] += (sum[0] + sum[1]) + (sum[2] + sum[3]);
        });
  else if (stride == 1)
    for_each_run(
        axes, [&](std::size_t cell, std::size_t to) __attribute__((always_inline)) {
          for (std::size_t k = 0; k < extent; ++k) source[to + k] += table[cell + k];
        });
  else
    for_each_run(
        axes, [&](std::size_t cell, std::size_t to) __attribute__((always_inline)) {
          for (std::size_t k = 0; k < extent; ++k) source[to + k * stride] += table[cell + k];
        });
}

}  // namespace

void Elimination::fill(const GraphPlan& plan, const GraphScores& scores, const GraphPlan::Step& step,
                       const double* unary, double* table) const {
  for (std::size_t v = 0; v < step.states; ++v)
    std::fill_n(table + v * step.rest_cells, step.rest_cells, unary[v]);
  for (const auto& p : plan.edges(step)) pour(table, scores.edge(p.source), plan.axes(p));
  for (const auto& p : plan.children(step))
    pour(table, messages_.data() + plan.steps()[p.source].message_begin, plan.axes(p));
}

double Elimination::forward(const GraphPlan& plan, const GraphScores& scores, double output_temperature,
                            double latent_temperature, Vector& unary) {
  const Graph& graph = scores.graph();
  const bool hard = output_temperature == 0 && latent_temperature == 0;
  tables_.resize(std::max(tables_.size(), hard ? plan.largest_table() : plan.table_cells()));
  messages_.resize(std::max(messages_.size(), plan.message_cells()));
  double value = 0;
  for (const auto& step : plan.steps()) {
    const double temperature = scores.hidden(step.node) ? latent_temperature : output_temperature;
    double* own = unary.data() + graph.node_begin(step.node);
    if (plan.rest(step).empty()) {
      value += hard ? own[arg_max({own, step.states})]
                    : smooth_max({own, step.states}, temperature, {own, step.states});
      continue;
    }
    double* table = tables_.data() + (hard ? 0 : step.table_begin);
    double* message = messages_.data() + step.message_begin;
    fill(plan, scores, step, own, table);
    if (hard)
      kernels::column_maxima(message, table, step.states, step.rest_cells);
    else
      kernels::soften_columns(message, table, step.states, step.rest_cells, temperature);
    if (plan.rest(step).size() == 1) {
      double* next = unary.data() + graph.node_begin(plan.rest(step)[0]);
      for (std::size_t k = 0; k < step.rest_cells; ++k) next[k] += message[k];
    }
  }
  return value;
}

void Elimination::decode(const GraphPlan& plan, const GraphScores& scores, const Vector& unary,
                         Assignment& winner) const {
  const Graph& graph = scores.graph();
  for (std::size_t k = plan.steps().size(); k-- > 0;) {
    const auto& step = plan.steps()[k];
    const auto state_of = [&](std::size_t node) { return static_cast<std::size_t>(winner[node]); };
    const auto score = [&](std::size_t v) {
      double sum = unary[graph.node_begin(step.node) + v];
      for (const auto& p : plan.edges(step)) {
        const auto [from, to] = graph.edge(p.source);
        const std::size_t a = from == step.node ? v : state_of(from), b = to == step.node ? v : state_of(to);
        sum += scores.edge(p.source)[a * graph.states(to) + b];
      }
      for (const auto& p : plan.children(step)) {
        std::size_t cell = 0;
        for (Index i : plan.rest(plan.steps()[p.source]))
          cell = cell * graph.states(i) + (i == step.node ? v : state_of(i));
        sum += messages_[plan.steps()[p.source].message_begin + cell];
      }
      return sum;
    };
    std::size_t best = 0;
    double top = score(0);
    for (std::size_t v = 1; v < step.states; ++v)
      if (const double sum = score(v); sum > top) top = sum, best = v;
    winner[step.node] = static_cast<int>(best);
  }
}

void Elimination::backward(const GraphPlan& plan, const GraphScores& scores, const Vector& unary,
                           GraphCounts& counts) {
  const Graph& graph = scores.graph();
  for (std::size_t k = plan.steps().size(); k-- > 0;) {
    const auto& step = plan.steps()[k];
    double* marginal = counts.node(step.node);
    if (plan.rest(step).empty()) {
      std::copy_n(unary.data() + graph.node_begin(step.node), step.states, marginal);
      continue;
    }
    double* table = tables_.data() + step.table_begin;
    const double* d =
        plan.rest(step).size() == 1 ? counts.node(plan.rest(step)[0]) : messages_.data() + step.message_begin;
    kernels::scale_columns(table, d, marginal, step.states, step.rest_cells);
    for (const auto& p : plan.edges(step)) gather(table, counts.edge(p.source), plan.axes(p));
    for (const auto& p : plan.children(step)) {
      const auto& child = plan.steps()[p.source];
      double* to = messages_.data() + child.message_begin;
      std::fill_n(to, child.rest_cells, 0.0);
      gather(table, to, plan.axes(p));
    }
  }
}

void Elimination::draw(const GraphPlan& plan, const GraphScores& scores, const Vector& unary, Random& random,
                       Assignment& s) const {
  const Graph& graph = scores.graph();
  for (std::size_t k = plan.steps().size(); k-- > 0;) {
    const auto& step = plan.steps()[k];
    std::size_t column = 0;
    for (Index i : plan.rest(step)) column = column * graph.states(i) + static_cast<std::size_t>(s[i]);
    const double* probability = plan.rest(step).empty() ? unary.data() + graph.node_begin(step.node)
                                                        : tables_.data() + step.table_begin + column;
    std::size_t state = 0;
    double left = random.uniform() - probability[0];
    while (left >= 0 && state + 1 < step.states) left -= probability[++state * step.rest_cells];
    s[step.node] = static_cast<int>(state);
  }
}

}  // namespace hinge
