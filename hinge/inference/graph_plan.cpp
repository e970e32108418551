#include "hinge/inference/graph_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "hinge/core/kernels.h"
#include "hinge/inference/elimination_order.h"

namespace hinge {

GraphPlan::GraphPlan(const Graph& graph, const Roles& roles, const PlanLimits& limits) {
  EliminationOrder order;
  order.cells = std::numeric_limits<double>::infinity();
  if (limits.cells > 0)
    order = elimination_order(graph, roles, limits.cells + graph.node_cells() + graph.edge_cells());
  if (!std::isfinite(order.cells)) {
    std::vector<char> observed;
    for (char role : roles) observed.push_back(role == static_cast<char>(Role::observed));
    schedule_ = std::make_unique<const MessageSchedule>(graph, observed);
    if (limits.part_cells > 0 && graph.nodes() <= kMostNodes) make_parts(graph, roles, limits.part_cells);
    return;
  }

  std::vector<Index> place(graph.nodes());
  for (std::size_t k = 0; k < order.nodes.size(); ++k) place[order.nodes[k]] = static_cast<Index>(k);
  const auto earlier = [&](Index a, Index b) { return place[a] < place[b]; };
  std::vector<std::vector<std::size_t>> children(order.nodes.size()), edges(order.nodes.size());
  for (std::size_t e = 0; e < graph.edges(); ++e) {
    const auto [from, to] = graph.edge(e);
    const auto observed = static_cast<char>(Role::observed);
    if (roles[from] != observed && roles[to] != observed)
      edges[place[std::min(from, to, earlier)]].push_back(e);
  }

  steps_.reserve(order.nodes.size());
  for (std::size_t k = 0; k < order.nodes.size(); ++k) {
    Step step{.node = order.nodes[k], .states = graph.states(order.nodes[k]), .first_rest = rests_.size()};
    rests_.insert(rests_.end(), order.rests[k].begin(), order.rests[k].end());
    std::sort(rests_.begin() + static_cast<std::ptrdiff_t>(step.first_rest), rests_.end(), earlier);
    step.last_rest = rests_.size();
    for (Index i : rest(step)) step.rest_cells *= graph.states(i);
    step.table_begin = table_cells_;
    step.message_begin = message_cells_;
    if (!rest(step).empty()) {
      table_cells_ += kernels::padded(step.cells());
      message_cells_ += kernels::padded(step.rest_cells);
      largest_table_ = std::max(largest_table_, kernels::padded(step.cells()));
    }
    width_ = std::max(width_, rest(step).size());
    if (rest(step).size() > 1) children[place[rest(step)[0]]].push_back(k);

    step.first_edge = edges_.size();
    for (std::size_t e : edges[k]) {
      const std::array<Index, 2> ends = {graph.edge(e).from, graph.edge(e).to};
      const std::array<std::size_t, 2> strides = {graph.states(ends[1]), 1};
      edges_.push_back(pouring(graph, step, e, ends, strides));
    }
    step.last_edge = edges_.size();
    step.first_child = children_.size();
    for (std::size_t c : children[k]) {
      std::vector<std::size_t> strides(rest(steps_[c]).size(), 1);
      for (std::size_t a = strides.size() - 1; a > 0; --a)
        strides[a - 1] = strides[a] * graph.states(rest(steps_[c])[a]);
      children_.push_back(pouring(graph, step, c, rest(steps_[c]), strides));
    }
    step.last_child = children_.size();
    steps_.push_back(step);
  }
}

void GraphPlan::make_parts(const Graph& graph, const Roles& roles, std::size_t table_cells) {
  constexpr std::size_t kParts = 12, kTotalCells = std::size_t{1} << 24;
  for (std::size_t seed = 0; seed < kParts; ++seed) {
    const Roles fewer = cutset(graph, roles, table_cells, seed);
    if (fewer.empty()) return;
    Part part{{}, std::make_unique<const GraphPlan>(graph, fewer, PlanLimits{kTotalCells})};
    if (!part.plan->feasible()) return;
    for (Index i = 0; i < graph.nodes(); ++i)
      if (fewer[i] != roles[i]) part.fixed.push_back(i);
    parts_.push_back(std::move(part));
  }
}

GraphPlan::Pouring GraphPlan::pouring(const Graph& graph, const Step& step, std::size_t source,
                                      std::span<const Index> nodes, std::span<const std::size_t> strides) {
  const std::size_t first = axes_.size();
  const auto add = [&](Index node) {
    if (graph.states(node) == 1) return;  // no axis, so that there are at most as many as bits in a size
    const auto found = std::find(nodes.begin(), nodes.end(), node) - nodes.begin();
    const Axis axis{graph.states(node),
                    found < std::ssize(nodes) ? strides[static_cast<std::size_t>(found)] : 0};
    Axis* slower = axes_.size() > first ? &axes_.back() : nullptr;
    if (slower != nullptr && slower->stride == axis.stride * axis.extent)
      *slower = {slower->extent * axis.extent, axis.stride};
    else
      axes_.push_back(axis);
  };
  add(static_cast<Index>(step.node));
  for (Index node : rest(step)) add(node);
  if (axes_.size() == first) axes_.push_back({1, 0});
  return {source, first, axes_.size()};
}

std::size_t GraphPlan::words() const {
  std::size_t words = (sizeof(Step) * steps_.size() + sizeof(Pouring) * (edges_.size() + children_.size()) +
                       sizeof(Axis) * axes_.size() + sizeof(Index) * rests_.size()) /
                      sizeof(double);
  if (!feasible()) words += schedule_->words();
  for (const Part& part : parts_) words += part.plan->words() + part.fixed.size() / 2;
  return words;
}

}  // namespace hinge
