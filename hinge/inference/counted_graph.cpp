#include "hinge/inference/counted_graph.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace hinge {

std::shared_ptr<const GraphPlan> CountedGraphEngine::plan_of(const Graph& graph,
                                                             const GraphSettings& settings) {
  return graph.plans().get(graph, Roles(graph.nodes(), static_cast<char>(Role::output)),
                           {settings.max_cells, settings.search_cells});
}

bool CountedGraphEngine::countable(const Graph& graph, const GraphSettings& settings) {
  constexpr std::size_t kMostCells = std::size_t{1} << 26;
  const auto plan = plan_of(graph, settings);
  return plan->feasible() && plan->message_cells() <= kMostCells / (graph.nodes() + 1);
}

void CountedGraphEngine::count_units(const GraphScores& losses) {
  const Graph& graph = losses.graph();
  units_.assign(graph.node_cells(), 0);
  unit_ = 0;
  const double* loss = graph.nodes() == 0 ? nullptr : losses.node(0);
  for (std::size_t k = 0; k < units_.size(); ++k)
    if (loss[k] > 0 && (unit_ == 0 || loss[k] < unit_)) unit_ = loss[k];
  for (std::size_t k = 0; k < units_.size() && unit_ > 0; ++k)
    units_[k] = static_cast<std::size_t>(std::lround(loss[k] / unit_));
}

void CountedGraphEngine::lay_out(const GraphPlan& plan) {
  const std::size_t count = plan.steps().size();
  steps_.resize(count);
  roots_.clear();
  for (Step& step : steps_) step.children.clear();
  std::size_t next = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const auto& step = plan.steps()[k];
    step_of_[step.node] = static_cast<Index>(k);
  }
  for (std::size_t k = 0; k < count; ++k) {  // children go before
    const auto& step = plan.steps()[k];
    steps_[k].most = 0;
    for (std::size_t v = 0; v < step.states; ++v)
      steps_[k].most = std::max(steps_[k].most, units_[node_begin_[step.node] + v]);
    for (const Index child : steps_[k].children) steps_[k].most += steps_[child].most;
    steps_[k].begin = next;
    next += step.rest_cells * (steps_[k].most + 1);
    const auto rest = plan.rest(step);
    (rest.empty() ? roots_ : steps_[step_of_[rest[0]]].children).push_back(static_cast<Index>(k));
  }
  messages_.assign(next, kForbidden);
  wanted_.assign(count, 0);
}

const double* CountedGraphEngine::message(const GraphPlan& plan, std::size_t step) const {
  std::size_t cell = 0;
  for (const Index i : plan.rest(plan.steps()[step]))
    cell = cell * states_[i] + static_cast<std::size_t>(state_[i]);
  return messages_.data() + steps_[step].begin + cell * (steps_[step].most + 1);
}

double CountedGraphEngine::own_score(const GraphPlan& plan, const GraphScores& scores, std::size_t k) const {
  const auto& step = plan.steps()[k];
  const Graph& graph = scores.graph();
  double sum = scores.node(step.node)[state_[step.node]];
  for (const auto& p : plan.edges(step)) {
    const auto [from, to] = graph.edge(p.source);
    sum += scores.edge(p.source)[static_cast<std::size_t>(state_[from]) * graph.states(to) +
                                 static_cast<std::size_t>(state_[to])];
  }
  return sum;
}

void CountedGraphEngine::begin(std::size_t count, double score) {
  if (joined_.empty()) joined_.emplace_back();
  joined_[0].assign(count + 1, kForbidden);
  joined_[0][count] = score;
  joins_ = 0;
}

void CountedGraphEngine::join(const GraphPlan& plan, const std::vector<Index>& children) {
  for (const Index child : children) {
    if (joined_.size() <= joins_ + 1) joined_.emplace_back();
    const Vector& before = joined_[joins_];
    Vector& after = joined_[++joins_];
    const double* says = message(plan, child);
    const std::size_t most = steps_[child].most;
    after.assign(before.size() + most, kForbidden);
    for (std::size_t d = 0; d < before.size(); ++d) {
      if (before[d] == kForbidden) continue;
      for (std::size_t e = 0; e <= most; ++e) after[d + e] = std::max(after[d + e], before[d] + says[e]);
    }
  }
}

void CountedGraphEngine::split(const GraphPlan& plan, const std::vector<Index>& children, std::size_t count) {
  for (std::size_t k = children.size(); k-- > 0;) {
    const Vector& before = joined_[k];
    const double* says = message(plan, children[k]);
    std::size_t best = 0;
    double top = kForbidden;
    for (std::size_t e = 0; e <= std::min(count, steps_[children[k]].most); ++e)
      if (count - e < before.size() && before[count - e] + says[e] > top)
        top = before[count - e] + says[e], best = e;
    wanted_[children[k]] = best;
    count -= best;
  }
}

void CountedGraphEngine::decode(const GraphPlan& plan, const GraphScores& scores, std::size_t count) {
  begin(0, 0);
  join(plan, roots_);
  split(plan, roots_, count);
  for (std::size_t k = plan.steps().size(); k-- > 0;) {
    const auto& step = plan.steps()[k];
    int best = 0;
    double top = kForbidden;
    const auto look = [&](int v) {
      state_[step.node] = v;
      begin(units_[node_begin_[step.node] + static_cast<std::size_t>(v)], own_score(plan, scores, k));
      join(plan, steps_[k].children);
      return wanted_[k] < joined_[joins_].size() ? joined_[joins_][wanted_[k]] : kForbidden;
    };
    for (int v = 0; v < static_cast<int>(step.states); ++v)
      if (const double value = look(v); value > top) top = value, best = v;
    look(best);
    split(plan, steps_[k].children, wanted_[k]);
  }
}

double CountedGraphEngine::solve_slack(const GraphScores& scores, const GraphScores& losses, double reference,
                                       GraphCounts& counts) {
  const Graph& graph = scores.graph();
  const auto plan = plan_of(graph, settings);
  assert(plan->feasible());
  node_begin_.resize(graph.nodes());
  states_.resize(graph.nodes());
  for (std::size_t i = 0; i < graph.nodes(); ++i) {
    node_begin_[i] = graph.node_begin(i);
    states_[i] = graph.states(i);
  }
  state_.assign(graph.nodes(), 0);
  step_of_.resize(graph.nodes());
  count_units(losses);
  lay_out(*plan);
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    const auto& step = plan->steps()[k];
    const auto rest = plan->rest(step);
    for (std::size_t cell = 0; cell < step.rest_cells; ++cell) {
      for (std::size_t r = rest.size(), left = cell; r-- > 0; left /= states_[rest[r]])
        state_[rest[r]] = static_cast<int>(left % states_[rest[r]]);
      double* out = messages_.data() + steps_[k].begin + cell * (steps_[k].most + 1);
      for (std::size_t v = 0; v < step.states; ++v) {
        state_[step.node] = static_cast<int>(v);
        begin(units_[node_begin_[step.node] + v], own_score(*plan, scores, k));
        join(*plan, steps_[k].children);
        const Vector& joined = joined_[joins_];
        for (std::size_t d = 0; d < joined.size(); ++d) out[d] = std::max(out[d], joined[d]);
      }
    }
  }
  begin(0, 0);
  join(*plan, roots_);
  double best = kForbidden;
  std::size_t count = 0;
  for (std::size_t d = 0; d < joined_[joins_].size(); ++d) {
    if (joined_[joins_][d] == kForbidden) continue;
    const double value = unit_ * static_cast<double>(d) * (1 + joined_[joins_][d] - reference);
    if (value > best) best = value, count = d;
  }
  decode(*plan, scores, count);
  counts.begin(graph, true);
  counts.use(state_);
  return best;
}

}  // namespace hinge
