#include "hinge/inference/elimination_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <queue>
#include <tuple>
#include <unordered_set>

#include "hinge/core/random.h"

namespace hinge {
namespace {

enum class Rule { table, fill };

// The graph that is left while nodes go. Neighbours that went stay in the lists until these are half empty.
class Remaining {
 public:
  Remaining(const Graph& graph, const Roles& roles)
      : graph_(graph),
        live_(graph.nodes()),
        degree_(graph.nodes()),
        table_(graph.nodes()),
        neighbours_(graph.nodes()) {
    for (std::size_t i = 0; i < graph.nodes(); ++i) {
      live_[i] = roles[i] != static_cast<char>(Role::observed);
      table_[i] = std::log2(graph.states(i));
    }
    for (std::size_t e = 0; e < graph.edges(); ++e) join(graph.edge(e).from, graph.edge(e).to);
  }

  double table(Index v) const { return table_[v]; }  // log2 of its cells
  std::size_t fill(Index v) {
    const std::vector<Index>& around = neighbours(v);
    std::size_t missing = 0;
    for (std::size_t a = 0; a < around.size(); ++a)
      for (std::size_t b = a + 1; b < around.size(); ++b)
        missing += !joined_.contains(key(around[a], around[b]));
    return missing;
  }

  const std::vector<Index>& neighbours(Index v) {
    std::vector<Index>& list = neighbours_[v];
    if (list.size() > degree_[v]) std::erase_if(list, [&](Index i) { return !live_[i]; });
    return list;
  }

  void remove(Index v) {
    live_[v] = false;
    for (Index a : neighbours(v)) {
      --degree_[a];
      table_[a] -= std::log2(graph_.states(v));
      if (neighbours_[a].size() > 2 * degree_[a] + 8) neighbours(a);
    }
  }
  // Removes v and joins its neighbours with each other.
  void eliminate(Index v) {
    remove(v);
    const std::vector<Index>& around = neighbours(v);
    for (std::size_t a = 0; a < around.size(); ++a)
      for (std::size_t b = a + 1; b < around.size(); ++b) join(around[a], around[b]);
  }

 private:
  static std::uint64_t key(Index a, Index b) {
    return (std::uint64_t{std::min(a, b)} << 32) | std::max(a, b);
  }
  void join(Index a, Index b) {
    if (!live_[a] || !live_[b] || !joined_.insert(key(a, b)).second) return;
    for (const auto& [i, other] : {std::pair{a, b}, std::pair{b, a}}) {
      neighbours_[i].push_back(other);
      ++degree_[i];
      table_[i] += std::log2(graph_.states(other));
    }
  }

  const Graph& graph_;
  std::vector<char> live_;
  std::vector<std::size_t> degree_;
  std::vector<double> table_;
  std::vector<std::vector<Index>> neighbours_;
  std::unordered_set<std::uint64_t> joined_;
};

// Nodes by what it costs to eliminate them, hidden ones first; costs may change.
class Queue {
 public:
  explicit Queue(const Roles& roles) : roles_(roles), cost_(roles.size(), kGone) {}

  double cost(Index v) const { return cost_[v]; }
  void set(Index v, double cost) {
    cost_[v] = cost;
    heap_.push({roles_[v] != static_cast<char>(Role::hidden), cost, v});
  }
  void remove(Index v) { cost_[v] = kGone; }
  // The cheapest, which stays; false when none is left.
  bool top(Index& v) {
    while (!heap_.empty() && heap_.top().cost != cost_[heap_.top().node]) heap_.pop();
    if (!heap_.empty()) v = heap_.top().node;
    return !heap_.empty();
  }

 private:
  static constexpr double kGone = -1e300;
  struct Candidate {
    bool output;
    double cost;
    Index node;
    bool operator<(const Candidate& other) const {  // the heap gives the largest
      return std::tie(other.output, other.cost, other.node) < std::tie(output, cost, node);
    }
  };

  const Roles& roles_;
  std::vector<double> cost_;
  std::priority_queue<Candidate> heap_;
};

bool open(const Roles& roles, Index v) { return roles[v] != static_cast<char>(Role::observed); }

EliminationOrder greedy(const Graph& graph, const Roles& roles, std::size_t limit, Rule rule) {
  Remaining remaining(graph, roles);
  const auto cost = [&](Index v) {
    return rule == Rule::table ? remaining.table(v) : static_cast<double>(remaining.fill(v));
  };
  Queue queue(roles);
  for (Index v = 0; v < graph.nodes(); ++v)
    if (open(roles, v)) queue.set(v, cost(v));
  EliminationOrder order;
  for (Index next; queue.top(next);) {
    order.cells += std::exp2(remaining.table(next));
    if (order.cells > static_cast<double>(limit)) {
      order.cells = std::numeric_limits<double>::infinity();
      return order;
    }
    order.nodes.push_back(next);
    order.rests.push_back(remaining.neighbours(next));
    queue.remove(next);
    remaining.eliminate(next);
    for (Index a : order.rests.back()) queue.set(a, cost(a));
    if (rule == Rule::fill)
      for (Index a : order.rests.back())
        for (Index b : remaining.neighbours(a))
          if (const double now = cost(b); now != queue.cost(b)) queue.set(b, now);
  }
  return order;
}

}  // namespace

EliminationOrder elimination_order(const Graph& graph, const Roles& roles, std::size_t limit) {
  constexpr std::size_t kSmall = 1000;
  EliminationOrder best = greedy(graph, roles, limit, Rule::table);
  if (graph.nodes() > kSmall || graph.edges() < graph.nodes()) return best;
  EliminationOrder other = greedy(graph, roles, limit, Rule::fill);
  return other.cells < best.cells ? other : best;
}

Roles cutset(const Graph& graph, const Roles& roles, std::size_t table_cells, std::uint64_t seed) {
  std::size_t largest = table_cells;
  for (std::size_t e = 0; e < graph.edges(); ++e)
    largest = std::max(largest, graph.edge_begin(e + 1) - graph.edge_begin(e));
  const double limit = std::log2(largest) + 1e-6;
  Random random(seed);
  Vector jitter(graph.nodes());
  for (double& j : jitter) j = random.uniform();
  Remaining remaining(graph, roles);
  Queue queue(roles);
  Roles result = roles;
  const auto update = [&](std::span<const Index> nodes) {
    for (Index v : nodes) queue.set(v, remaining.table(v) + jitter[v]);
  };
  for (Index v = 0; v < graph.nodes(); ++v)
    if (open(roles, v)) update({&v, 1});
  for (Index next; queue.top(next);) {
    const std::vector<Index> around = remaining.neighbours(next);
    if (remaining.table(next) <= limit) {
      queue.remove(next);
      remaining.eliminate(next);
      update(around);
      continue;
    }
    std::optional<Index> chosen;  // the output with the largest table
    const auto consider = [&](Index v) {
      if (roles[v] == static_cast<char>(Role::output) &&
          (!chosen || remaining.table(v) + jitter[v] > remaining.table(*chosen) + jitter[*chosen]))
        chosen = v;
    };
    consider(next);
    for (Index v : around) consider(v);
    if (!chosen) return {};
    const std::vector<Index> freed = remaining.neighbours(*chosen);
    result[*chosen] = static_cast<char>(Role::observed);
    queue.remove(*chosen);
    remaining.remove(*chosen);
    update(freed);
  }
  return result;
}

}  // namespace hinge
