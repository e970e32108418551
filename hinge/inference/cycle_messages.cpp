#include "hinge/inference/cycle_messages.h"

#include <algorithm>
#include <cmath>

#include "hinge/core/kernels.h"

namespace hinge {
namespace {

// Of what an edge gives to a cycle, what it keeps at least for its nodes: few, since cycles that share edges agree on nodes
// anyway; some, for cycles that share a node alone.
constexpr double kKept = 0.1;

// The states' numbers, and copies of the first where padding stands: maxima are then those of whole lanes.
void copy_padded(const double* in, std::size_t step, std::size_t states, std::size_t stride, double* out) {
  for (std::size_t k = 0; k < states; ++k) out[k] = in[k * step];
  std::fill(out + states, out + stride, out[0]);
}

}  // namespace

void CycleMessages::begin(const MessageSchedule& schedule, const GraphScores& scores, const Vector& unary) {
  schedule_ = &schedule;
  const Graph& graph = scores.graph();
  nodes_.clear();
  edges_.clear();
  double spread = 1;
  bool any = false;
  const auto note = [&](const double* from, std::size_t cells) {
    double largest = 0;
    for (std::size_t c = 0; c < cells; ++c) {
      if (from[c] == kForbidden)
        any = true;
      else
        largest = std::max(largest, std::abs(from[c]));
    }
    spread += 2 * largest;
  };
  std::size_t own = 0, pair = 0;
  for (const auto& place : schedule.places) {
    Node node{own, place.states, place.stride, edges_.size(), 0, 0, 0};
    own += place.stride;
    note(unary.data() + graph.node_begin(place.node), place.states);
    for (const auto& link : schedule.later(place)) {
      const Index to = schedule.place_of[link.neighbour];
      const auto& other = schedule.places[to];
      const auto from = static_cast<Index>(nodes_.size());
      edges_.push_back({from, to, pair, place.states, other.states, other.stride, 0, 0, 0, 0});
      pair += edges_.back().cells();
      note(scores.edge(link.edge), place.states * other.states);
    }
    node.last_edge = edges_.size();
    nodes_.push_back(node);
  }
  earlier_.clear();
  for (std::size_t p = 0; p < nodes_.size(); ++p) {
    nodes_[p].first_earlier = earlier_.size();
    for (const auto& link : schedule.earlier(schedule.places[p])) {
      const Node& other = nodes_[schedule.place_of[link.neighbour]];
      std::size_t e = other.first_edge;
      while (edges_[e].to != p) ++e;
      earlier_.push_back(static_cast<Index>(e));
    }
    nodes_[p].last_earlier = earlier_.size();
  }

  forbidden_ = any ? -2 * spread : kForbidden;
  own_.resize(own);
  pair_.resize(pair);
  for (std::size_t p = 0; p < nodes_.size(); ++p) {
    const auto& place = schedule.places[p];
    const Node& node = nodes_[p];
    copy_padded(unary.data() + graph.node_begin(place.node), 1, node.states, node.stride,
                own_.data() + node.own);
    for (std::size_t l = 0; l < place.later(); ++l) {
      const auto& link = schedule.later(place)[l];
      const Edge& edge = edges_[node.first_edge + l];
      const bool along = graph.edge(link.edge).from == place.node;
      for (std::size_t a = 0; a < edge.rows; ++a)
        copy_padded(scores.edge(link.edge) + a * (along ? edge.columns : 1), along ? 1 : edge.rows,
                    edge.columns, edge.stride, pair_.data() + edge.table + a * edge.stride);
    }
  }
  if (any)
    for (Vector* v : {&own_, &pair_}) std::replace(v->begin(), v->end(), kForbidden, forbidden_);

  add_cycles(short_cycles(schedule));
  const std::size_t widest = schedule.largest_stride * schedule.largest_stride;
  known_.resize(widest);
  product_.resize(widest);
  turned_.resize(widest);
}

void CycleMessages::add_cycles(const std::vector<ShortCycle>& cycles) {
  const auto edge_of = [&](Index a, Index b) {
    if (a > b) std::swap(a, b);
    std::size_t e = nodes_[a].first_edge;
    while (edges_[e].to != b) ++e;
    return static_cast<Index>(e);
  };
  cycles_.clear();
  std::size_t lent = 0;
  for (const auto& [length, places] : cycles) {
    Cycle cycle{length, places, {}, {}, 0};
    for (std::size_t k = 0; k < length; ++k) {
      cycle.edges[k] = edge_of(places[k], places[(k + 1) % length]);
      cycle.last_place = std::max(cycle.last_place, places[k]);
      cycle.lent[k] = lent;
      lent += edges_[cycle.edges[k]].cells();
      ++edges_[cycle.edges[k]].last_loan;
    }
    cycles_.push_back(cycle);
  }
  lent_.assign(lent, 0.0);

  std::size_t loans = 0;
  for (Edge& edge : edges_) {
    edge.first_loan = loans;
    loans += edge.last_loan;
    edge.last_loan = edge.first_loan;
  }
  loans_.resize(loans);
  turns_.clear();
  for (std::size_t c = 0; c < cycles_.size(); ++c) {
    const Cycle& cycle = cycles_[c];
    const std::size_t L = cycle.length;
    const auto [low, high] =
        std::minmax_element(cycle.edges.begin(), cycle.edges.begin() + static_cast<std::ptrdiff_t>(L));
    for (std::size_t k = 0; k < L; ++k) {
      Edge& edge = edges_[cycle.edges[k]];
      loans_[edge.last_loan++] = {cycle.lent[k], turns_.size(), L - 1};
      edge.before += cycle.edges[k] != *low;
      edge.behind += cycle.edges[k] != *high;
      // From the edge's earlier end to the later one, the other way round.
      const bool along = cycles[c].places[k] == edge.from;
      Index at = edge.from;
      for (std::size_t t = 1; t < L; ++t) {
        const std::size_t step = along ? (k + L - t) % L : (k + t) % L;
        const Edge& on = edges_[cycle.edges[step]];
        const bool against = on.to == at;
        at = against ? on.from : on.to;
        turns_.push_back({cycle.lent[step], on.rows, on.columns, on.stride, nodes_[at].stride, against});
      }
      loans_[edge.last_loan - 1].first = cycle.edges[k] == *low;
      loans_[edge.last_loan - 1].last = cycle.edges[k] == *high;
    }
  }
}

const double* CycleMessages::factor(const Turn& turn) {
  const double* table = lent_.data() + turn.lent;
  if (!turn.against) return table;
  for (std::size_t a = 0; a < turn.columns; ++a)
    copy_padded(table + a, turn.stride, turn.rows, turn.end_stride, turned_.data() + a * turn.end_stride);
  return turned_.data();
}

void CycleMessages::know(const Edge& edge, const Loan& loan) {
  const Turn* turn = turns_.data() + loan.turns;
  const auto multiply = [&](const Turn& left, const double* right, std::size_t inner, double* out) {
    const std::size_t rows = left.against ? left.columns : left.rows;
    kernels::max_product(out, lent_.data() + left.lent, left.against ? 1 : left.stride,
                         left.against ? left.stride : 1, right, rows, inner, edge.stride);
  };
  const auto inner = [](const Turn& left) { return left.against ? left.rows : left.columns; };
  const Turn& last = turn[loan.length - 1];
  const double* right = factor(last);
  if (loan.length == 3) {
    multiply(turn[1], right, inner(turn[1]), product_.data());
    right = product_.data();
  }
  multiply(turn[0], right, inner(turn[0]), known_.data());
}

void CycleMessages::visit_edge(const Edge& edge, bool forth) {
  const std::size_t cells = edge.cells();
  double* pair = pair_.data() + edge.table;
  for (std::size_t l = edge.first_loan; l < edge.last_loan; ++l) {
    know(edge, loans_[l]);
    double* lent = lent_.data() + loans_[l].lent;
    const double* known = known_.data();
    for (std::size_t c = 0; c < cells; ++c) {
      pair[c] += lent[c] + known[c];
      lent[c] = -known[c];
    }
  }
  const double share = 1 / (kKept + static_cast<double>(std::max(edge.before, edge.behind)));
  std::size_t given = 0;
  for (std::size_t l = edge.first_loan; l < edge.last_loan; ++l) {
    if (forth ? loans_[l].last : loans_[l].first) continue;
    double* lent = lent_.data() + loans_[l].lent;
    for (std::size_t c = 0; c < cells; ++c) lent[c] += share * pair[c];
    ++given;
  }
  const double rest = 1 - share * static_cast<double>(given);
  for (std::size_t c = 0; c < cells; ++c) pair[c] *= rest;
}

void CycleMessages::visit_node(const Node& node, bool forth) {
  double* own = own_.data() + node.own;
  double* known = known_.data();
  for (std::size_t e = node.first_edge; e < node.last_edge; ++e) {
    const Edge& edge = edges_[e];
    double* pair = pair_.data() + edge.table;
    for (std::size_t a = 0; a < edge.rows; ++a) {
      double* row = pair + a * edge.stride;
      const double top = *std::max_element(row, row + edge.columns);
      for (std::size_t b = 0; b < edge.stride; ++b) row[b] -= top;
      known[a] = top;
    }
    std::fill(known + edge.rows, known + node.stride, known[0]);
    for (std::size_t a = 0; a < node.stride; ++a) own[a] += known[a];
  }
  for (std::size_t l = node.first_earlier; l < node.last_earlier; ++l) {
    const Edge& edge = edges_[earlier_[l]];
    double* pair = pair_.data() + edge.table;
    std::copy_n(pair, edge.stride, known);
    for (std::size_t a = 1; a < edge.rows; ++a)
      for (std::size_t b = 0; b < edge.stride; ++b) known[b] = std::max(known[b], pair[a * edge.stride + b]);
    for (std::size_t b = 0; b < edge.stride; ++b) own[b] += known[b];
    for (std::size_t a = 0; a < edge.rows; ++a)
      for (std::size_t b = 0; b < edge.stride; ++b) pair[a * edge.stride + b] -= known[b];
  }
  const std::size_t before = node.last_earlier - node.first_earlier,
                    behind = node.last_edge - node.first_edge;
  if (before + behind == 0) return;
  const double share = 1 / static_cast<double>(std::max(before, behind));
  if (forth) {
    for (std::size_t e = node.first_edge; e < node.last_edge; ++e) {
      const Edge& edge = edges_[e];
      double* pair = pair_.data() + edge.table;
      for (std::size_t a = 0; a < edge.rows; ++a)
        for (std::size_t b = 0; b < edge.stride; ++b) pair[a * edge.stride + b] += share * own[a];
    }
  } else {
    for (std::size_t l = node.first_earlier; l < node.last_earlier; ++l) {
      const Edge& edge = edges_[earlier_[l]];
      double* pair = pair_.data() + edge.table;
      for (std::size_t a = 0; a < edge.rows; ++a)
        for (std::size_t b = 0; b < edge.stride; ++b) pair[a * edge.stride + b] += share * own[b];
    }
  }
  const double rest = 1 - share * static_cast<double>(forth ? behind : before);
  for (std::size_t k = 0; k < node.stride; ++k) own[k] *= rest;
}

void CycleMessages::sweep() {
  for (const Node& node : nodes_) {
    visit_node(node, true);
    for (std::size_t e = node.first_edge; e < node.last_edge; ++e) visit_edge(edges_[e], true);
  }
  for (std::size_t p = nodes_.size(); p-- > 0;) {
    for (std::size_t e = nodes_[p].last_edge; e-- > nodes_[p].first_edge;) visit_edge(edges_[e], false);
    visit_node(nodes_[p], false);
  }
}

double CycleMessages::maximum(const Cycle& cycle) {
  const Edge& edge = edges_[cycle.edges[0]];
  std::size_t l = edge.first_loan;
  while (loans_[l].lent != cycle.lent[0]) ++l;
  know(edge, loans_[l]);
  const double* lent = lent_.data() + cycle.lent[0];
  double top = lent[0] + known_[0];
  for (std::size_t c = 1; c < edge.cells(); ++c) top = std::max(top, lent[c] + known_[c]);
  return top;
}

double CycleMessages::score(const Assignment& s) const {
  const auto state = [&](Index p) { return static_cast<std::size_t>(s[schedule_->places[p].node]); };
  const auto at = [&](const Edge& edge) { return state(edge.from) * edge.stride + state(edge.to); };
  double sum = 0;
  for (std::size_t p = 0; p < nodes_.size(); ++p) sum += own(nodes_[p])[state(static_cast<Index>(p))];
  for (const Edge& edge : edges_) sum += pair(edge)[at(edge)];
  for (const Cycle& cycle : cycles_)
    for (std::size_t k = 0; k < cycle.length; ++k) sum += lent(cycle.lent[k])[at(edges_[cycle.edges[k]])];
  return sum;
}

double CycleMessages::bound() {
  double sum = 0;
  for (const Node& node : nodes_) sum += kernels::maximum(own(node), node.states);
  for (const Edge& edge : edges_) sum += kernels::maximum(pair(edge), edge.cells());
  for (const Cycle& cycle : cycles_) sum += maximum(cycle);
  return sum;
}

}  // namespace hinge
