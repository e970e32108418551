#include "hinge/inference/fusion.h"

#include <algorithm>
#include <limits>

namespace hinge {

// Between two cells of the diagonal of a square table stand as many others as it has rows.
Fusion::Plain Fusion::plain_of(const double* table, std::size_t rows, std::size_t columns) {
  constexpr double kVaries = std::numeric_limits<double>::quiet_NaN();
  if (rows != columns || rows < 2) return {kVaries, kVaries};
  Plain plain{table[0], table[1]};
  for (std::size_t a = 1; a < rows; ++a) {
    const double* const between = table + (a - 1) * (columns + 1) + 1;
    if (between[columns] != plain.same) plain.same = kVaries;
    std::size_t other = 0;
    for (std::size_t b = 0; b < columns; ++b) other += between[b] != table[1];
    if (other > 0) return {kVaries, kVaries};
  }
  return plain;
}

void Fusion::begin(const GraphScores& scores, const Vector& unary) {
  scores_ = &scores;
  unary_ = &unary;
  const Graph& graph = scores.graph();
  double spread = 1;
  const auto note = [&](const double* from, std::size_t cells) {
    double largest = 0;
    for (std::size_t c = 0; c < cells; ++c)
      if (from[c] != kForbidden) largest = std::max(largest, std::abs(from[c]));
    spread += 2 * largest;
  };
  for (std::size_t i = 0; i < graph.nodes(); ++i) note(unary.data() + graph.node_begin(i), graph.states(i));
  plain_.resize(graph.edges());
  for (std::size_t e = 0; e < graph.edges(); ++e) {
    const auto [from, to] = graph.edge(e);
    plain_[e] = plain_of(scores.edge(e), graph.states(from), graph.states(to));
    if (const double both[] = {plain_[e].same, plain_[e].mixed}; plain_[e].whole())
      note(both, 2);
    else
      note(scores.edge(e), graph.edge_begin(e + 1) - graph.edge_begin(e));
  }
  forbidden_ = -2 * spread;
  flow_.shape(graph.nodes(), graph.all_edges());
  price_.resize(graph.nodes());
}

double Fusion::attraction(double a, double b, double c, double d) {
  const double sum = a + d - b - c;
  return std::abs(sum) <= 1e-12 * (std::abs(a) + std::abs(b) + std::abs(c) + std::abs(d)) ? 0 : sum;
}

Fusion::Move Fusion::fuse(const Assignment& proposal, Assignment& s) {
  const Graph& graph = scores_->graph();
  const auto moves = [&](std::size_t i) { return s[i] != proposal[i] && open(i); };
  Move move{0, true};
  flow_.clear();
  for (std::size_t i = 0; i < graph.nodes(); ++i)
    price_[i] = moves(i) ? node(i, s[i]) - node(i, proposal[i]) : 0;
  for (std::size_t e = 0; e < graph.edges(); ++e) {
    const auto [from, to] = graph.edge(e);
    if (!open(from) || !open(to)) continue;  // those are in the scores of nodes
    const bool from_moves = moves(from), to_moves = moves(to);
    if (!from_moves && !to_moves) continue;
    const double a = edge(e, s[from], s[to]);
    if (!to_moves) {
      price_[from] += a - edge(e, proposal[from], s[to]);
      continue;
    }
    const double b = edge(e, s[from], proposal[to]);
    if (!from_moves) {
      price_[to] += a - b;
      continue;
    }
    const double c = edge(e, proposal[from], s[to]), d = edge(e, proposal[from], proposal[to]);
    const double bond = attraction(a, b, c, d);
    if (bond < 0) move.exact = false;  // b and c are lowered by half of it each
    const double half = 0.5 * (a - d), twist = 0.5 * (b - c);
    price_[from] += half + twist;
    price_[to] += half - twist;
    if (bond > 0) flow_.add_edge(e, 0.5 * bond, 0.5 * bond);
  }
  for (std::size_t i = 0; i < graph.nodes(); ++i)
    if (price_[i] != 0) flow_.add_terminals(i, std::max(price_[i], 0.0), std::max(-price_[i], 0.0));
  flow_.solve();

  next_ = s;
  for (std::size_t i = 0; i < graph.nodes(); ++i)
    if (moves(i) && flow_.with_sink(i)) next_[i] = proposal[i];
  move.gain = gain(s, next_);
  if (move.gain > 0)
    std::swap(s, next_);
  else
    move.gain = 0;
  return move;
}

double Fusion::gain(const Assignment& s, const Assignment& next) const {
  const Graph& graph = scores_->graph();
  double sum = 0;
  for (std::size_t i = 0; i < graph.nodes(); ++i)
    if (s[i] != next[i]) sum += node(i, next[i]) - node(i, s[i]);
  for (std::size_t e = 0; e < graph.edges(); ++e) {
    const auto [from, to] = graph.edge(e);
    if ((s[from] == next[from] && s[to] == next[to]) || !open(from) || !open(to)) continue;
    sum += edge(e, next[from], next[to]) - edge(e, s[from], s[to]);
  }
  return sum;
}

bool Fusion::halves(Assignment& first, Assignment& second, Obstacle& obstacle) {
  const Graph& graph = scores_->graph();
  constexpr int kUnseen = -1;
  first.assign(graph.nodes(), kUnseen);
  second.assign(graph.nodes(), 0);
  for (std::size_t i = 0; i < graph.nodes(); ++i) {
    if (!open(i)) {
      first[i] = second[i] = scores_->observed(i);
    } else if (graph.states(i) == 1) {
      first[i] = 0;
    } else if (graph.states(i) > 2) {
      obstacle = {true, i};
      return false;
    }
  }
  for (std::size_t root = 0; root < graph.nodes(); ++root) {
    if (first[root] != kUnseen) continue;
    first[root] = 0;
    queue_.assign(1, static_cast<Index>(root));
    for (std::size_t k = 0; k < queue_.size(); ++k) {
      const Index i = queue_[k];
      for (const Index e : graph.edges_at(i)) {
        const Index j = graph.edge(e).from == i ? graph.edge(e).to : graph.edge(e).from;
        if (!open(j) || graph.states(j) == 1) continue;
        const double bond = attraction(edge(e, 0, 0), edge(e, 0, 1), edge(e, 1, 0), edge(e, 1, 1));
        if (bond == 0) continue;
        const int state = bond > 0 ? first[i] : 1 - first[i];
        if (first[j] == kUnseen) {
          first[j] = state;
          queue_.push_back(j);
        } else if (first[j] != state) {
          obstacle = {false, e};
          return false;
        }
      }
    }
  }
  for (std::size_t i = 0; i < graph.nodes(); ++i)
    if (open(i) && graph.states(i) == 2) second[i] = 1 - first[i];
  return true;
}

}  // namespace hinge
