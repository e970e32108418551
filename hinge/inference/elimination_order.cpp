#include "hinge/inference/elimination_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>
#include <unordered_set>

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

  // Removes v and joins its neighbours with each other.
  void eliminate(Index v) {
    live_[v] = false;
    const std::vector<Index>& around = neighbours(v);
    for (Index a : around) {
      --degree_[a];
      table_[a] -= std::log2(graph_.states(v));
      if (neighbours_[a].size() > 2 * degree_[a] + 8) neighbours(a);
    }
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

EliminationOrder greedy(const Graph& graph, const Roles& roles, std::size_t limit, Rule rule) {
  struct Candidate {
    bool output;
    double cost;
    Index node;
    bool operator<(const Candidate& other) const {  // the queue gives the largest
      return std::tie(other.output, other.cost, other.node) < std::tie(output, cost, node);
    }
  };
  Remaining remaining(graph, roles);
  const auto cost = [&](Index v) {
    return rule == Rule::table ? remaining.table(v) : static_cast<double>(remaining.fill(v));
  };
  std::priority_queue<Candidate> queue;
  std::vector<double> current(graph.nodes());  // −1 once it went
  const auto consider = [&](Index v) {
    current[v] = cost(v);
    queue.push({roles[v] != static_cast<char>(Role::hidden), current[v], v});
  };
  std::size_t left = 0;
  for (Index v = 0; v < graph.nodes(); ++v)
    if (roles[v] != static_cast<char>(Role::observed)) consider(v), ++left;

  EliminationOrder order;
  order.nodes.reserve(left);
  order.rests.reserve(left);
  while (order.nodes.size() < left) {
    const Candidate next = queue.top();
    queue.pop();
    if (next.cost != current[next.node]) continue;  // it has changed since, or went
    order.cells += std::exp2(remaining.table(next.node));
    if (order.cells > static_cast<double>(limit)) {
      order.cells = std::numeric_limits<double>::infinity();
      return order;
    }
    order.nodes.push_back(next.node);
    order.rests.push_back(remaining.neighbours(next.node));
    current[next.node] = -1;
    remaining.eliminate(next.node);
    for (Index a : order.rests.back()) consider(a);
    if (rule == Rule::fill)
      for (Index a : order.rests.back())
        for (Index b : remaining.neighbours(a))
          if (cost(b) != current[b]) consider(b);
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

}  // namespace hinge
