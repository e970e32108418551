#include "hinge/inference/graph_engine.h"

#include <algorithm>
#include <cmath>

#include "hinge/core/errors.h"
#include "hinge/inference/graph_plans.h"

namespace hinge {
namespace {

constexpr int kOpen = GraphScores::kOpen;
constexpr std::size_t kManyCells =
    16;  // in the tables of elimination, for each of the graph's own: a cut is faster

void observe(const GraphScores& scores, Assignment& s) {
  for (std::size_t i = 0; i < s.size(); ++i)
    if (scores.observed(i) != kOpen) s[i] = scores.observed(i);
}

}  // namespace

void GraphEngine::settle(const Scores& scores, double& output_temperature, double& latent_temperature) {
  std::size_t open[2] = {};
  for (std::size_t i = 0; i < scores.graph().nodes(); ++i)
    if (scores.observed(i) == kOpen) ++open[scores.hidden(i)];
  if (open[true] == 0) latent_temperature = output_temperature;
  if (open[false] == 0) output_temperature = latent_temperature;
}

bool GraphEngine::may_approximate(const Scores& scores, double output_temperature,
                                  double latent_temperature) {
  settle(scores, output_temperature, latent_temperature);
  if (settings.maxima == "cut" && output_temperature == 0 && latent_temperature == 0) return false;
  return !plan_for(scores, output_temperature != latent_temperature)->feasible();
}

double GraphEngine::solve(const Scores& scores, double output_temperature, double latent_temperature,
                          Counts& counts) {
  const bool maximum = output_temperature == 0;
  settle(scores, output_temperature, latent_temperature);
  answer_ = {};
  const double value = solve_open(scores, output_temperature, latent_temperature, counts);
  if (maximum && !counts.hard()) counts.find_winner();
  return value;
}

std::shared_ptr<const GraphPlan> GraphEngine::plan_for(const Scores& scores, bool hidden_first) {
  const Graph& graph = scores.graph();
  roles_.resize(graph.nodes());
  for (std::size_t i = 0; i < graph.nodes(); ++i)
    roles_[i] = static_cast<char>(scores.observed(i) != kOpen        ? Role::observed
                                  : hidden_first && scores.hidden(i) ? Role::hidden
                                                                     : Role::output);
  return graph.plans().get(graph, roles_, {settings.max_cells, settings.search_cells});
}

double GraphEngine::solve_open(const Scores& scores, double output_temperature, double latent_temperature,
                               Counts& counts) {
  const Graph& graph = scores.graph();
  const bool hidden_first = output_temperature != latent_temperature;
  const bool hard = !hidden_first && output_temperature == 0;
  double value;
  // A plan costs more than a cut, and is not needed where nothing is eliminated.
  const bool cuts = settings.maxima == "cut" || (settings.maxima == "auto" && settings.max_cells == 0);
  if (hard && cuts && cut(scores, counts, value)) return value;
  if (hard && settings.maxima == "expansion" && settings.max_cells == 0) return expand(scores, counts);
  const auto plan = plan_for(scores, hidden_first);
  const std::size_t own_cells = graph.node_cells() + graph.edge_cells();
  const bool slow = !plan->feasible() || plan->table_cells() > kManyCells * own_cells;
  if (hard && slow && settings.maxima == "auto" && !cuts && cut(scores, counts, value)) return value;
  if (plan->feasible()) return eliminate(*plan, scores, output_temperature, latent_temperature, counts);
  if (hard && settings.maxima == "expansion") return expand(scores, counts);
  if (hard) return maximise(*plan, scores, counts);
  if (output_temperature == 0) return maximise_mixed(*plan, scores, latent_temperature, counts);
  if (latent_temperature == 0)
    fail(
        "a graph of {} nodes is too wide for exact inference, and no messages are known for an output "
        "temperature of {:g} above a latent temperature of 0: raise max-cells or the latent temperature.",
        graph.nodes(), output_temperature);
  return propagate(*plan, scores, output_temperature, latent_temperature, counts);
}

double GraphEngine::eliminate(const GraphPlan& plan, const Scores& scores, double output_temperature,
                              double latent_temperature, Counts& counts) {
  const bool hard = output_temperature == 0 && latent_temperature == 0;
  width_ = plan.width();
  const double fixed = condition(scores);
  const double value =
      fixed + elimination_.forward(plan, scores, output_temperature, latent_temperature, unary_);
  bound_ = value;
  counts.begin(scores.graph(), hard);
  if (value == kForbidden) return value;
  if (hard) {
    observe(scores, counts.winner());
    elimination_.decode(plan, scores, unary_, counts.winner());
    counts.use(counts.winner());
  } else {
    elimination_.backward(plan, scores, unary_, counts);
    count_observed(scores, counts);
  }
  return value;
}

bool GraphEngine::cut(const Scores& scores, Counts& counts, double& value) {
  const Graph& graph = scores.graph();
  const bool must = settings.maxima == "cut";
  for (std::size_t i = 0; i < graph.nodes() && !must; ++i)
    if (graph.states(i) > 2 && scores.observed(i) == kOpen) return false;
  condition(scores);
  fusion_.begin(scores, unary_);
  Fusion::Obstacle obstacle;
  if (!fusion_.halves(winner_, other_, obstacle)) {
    if (!must) return false;
    if (obstacle.is_node)
      fail(
          "node {} of a graph has {} states, and only nodes of two can be cut: set `maxima` to auto, "
          "expansion or "
          "messages.",
          obstacle.number, graph.states(obstacle.number));
    fail(
        "the edge of nodes {} and {} of a graph cannot be cut: it closes a loop in which an odd number of "
        "edges score "
        "more where their ends differ. Set `maxima` to auto or messages, or `pairs` to agreement.",
        graph.edge(obstacle.number).from, graph.edge(obstacle.number).to);
  }
  fusion_.fuse(other_, winner_);
  answer_ = {kCut, true, true};
  bound_ = value = scores.of(winner_);
  counts.begin(graph, true);
  if (value != kForbidden) counts.use(winner_);
  return true;
}

double GraphEngine::expand(const Scores& scores, Counts& counts) {
  condition(scores);
  winner_.resize(scores.graph().nodes());
  observe(scores, winner_);
  fusion_.begin(scores, unary_);
  const auto result = expansion_.solve(scores, unary_, settings.max_sweeps, fusion_, winner_);
  const double value = scores.of(winner_);
  bound_ = expansion_bound(scores, winner_, fusion_, result.exact_moves);
  answer_ = {kExpansion, !(bound_ - value > 1e-12 * (1 + std::abs(bound_))), result.converged};
  counts.begin(scores.graph(), true);
  if (value != kForbidden) counts.use(winner_);
  return value;
}

double GraphEngine::maximise(const GraphPlan& plan, const Scores& scores, Counts& counts) {
  const double fixed = condition(scores);
  winner_.assign(scores.graph().nodes(), 0);
  observe(scores, winner_);
  const bool cycles = settings.maxima == "cycles", fuses = cycles || settings.maxima == "fusion";
  if (fuses) fusion_.begin(scores, unary_);
  const auto result =
      tree_reweighted_.solve(plan.schedule(), scores, unary_, settings, winner_, fuses ? &fusion_ : nullptr);
  double value = fixed + result.value, bound = fixed + result.bound;
  bool converged = result.converged;
  const auto open = [&] { return bound - value > 1e-12 * (1 + std::abs(bound)); };
  if (cycles && open()) {
    const auto closer = cycle_maxima_.improve(plan.schedule(), scores, unary_, settings, winner_);
    converged = closer.converged;
    value = scores.of(winner_);
    bound = closer.proven ? value : std::min(bound, fixed + closer.bound);
  }
  if (open()) value = std::max(value, search(plan, scores, 0, winner_, counts));
  bound_ = bound;
  answer_ = {cycles ? kCycles : fuses ? kFusion : kMaxima, !open(), converged};
  counts.begin(scores.graph(), true);
  if (value != kForbidden) counts.use(winner_);
  return value;
}

double GraphEngine::propagate(const GraphPlan& plan, const Scores& scores, double output_temperature,
                              double latent_temperature, Counts& counts) {
  const double fixed = condition(scores);
  const bool converged =
      propagation_.run(plan.schedule(), scores, unary_, output_temperature, latent_temperature, settings);
  answer_ = {settings.sums == "bethe" ? kBethe : kTreeReweighted,
             plan.schedule().forest && output_temperature == latent_temperature, converged};
  counts.begin(scores.graph(), false);
  const double value = fixed + propagation_.count(plan.schedule(), scores, counts);
  if (value != kForbidden) count_observed(scores, counts);
  return value;
}

double GraphEngine::maximise_mixed(const GraphPlan& plan, const Scores& scores, double latent_temperature,
                                   Counts& counts) {
  condition(scores);
  bool converged = propagation_.run(plan.schedule(), scores, unary_, 0, latent_temperature, settings);
  winner_.resize(scores.graph().nodes());
  propagation_.decode(plan.schedule(), winner_);
  observe(scores, winner_);
  other_ = winner_;
  tree_reweighted_.solve(plan.schedule(), scores, unary_, settings, other_);
  double value = add_hidden(scores, winner_, latent_temperature, counts);
  converged &= answer_.converged;
  if (const double other = add_hidden(scores, other_, latent_temperature, trial_); other > value) {
    value = other;
    winner_ = other_;
    std::swap(counts, trial_);
  }
  if (!plan.parts().empty()) value = search(plan, scores, latent_temperature, winner_, counts);
  answer_ = {kMixed, false, converged};
  return value;
}

double GraphEngine::add_hidden(const Scores& scores, const Assignment& s, double latent_temperature,
                               Counts& counts) {
  given_ = scores;
  for (std::size_t i = 0; i < s.size(); ++i)
    if (!scores.hidden(i)) given_.observe(i, s[i]);
  return solve_open(given_, latent_temperature, latent_temperature, counts);
}

double GraphEngine::search(const GraphPlan& plan, const Scores& scores, double latent_temperature,
                           Assignment& winner, Counts& counts) {
  double value = kForbidden;
  if (plan.parts().empty()) return value;
  given_ = scores;
  for (std::size_t p = 0, idle = 0; idle < plan.parts().size(); p = (p + 1) % plan.parts().size()) {
    const auto& part = plan.parts()[p];
    for (Index i : part.fixed) given_.observe(i, winner[i]);
    const double next = eliminate(*part.plan, given_, 0, latent_temperature, trial_);
    for (Index i : part.fixed) given_.observe(i, kOpen);
    const bool better = next > value + 1e-12 * (1 + std::abs(next));
    idle = better ? 1 : idle + 1;
    if (!better) continue;
    value = next;
    std::swap(counts, trial_);
    if (!counts.hard()) counts.find_winner();
    winner = counts.structure();
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
