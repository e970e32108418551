#include "hinge/inference/forest.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "hinge/inference/best_derivations.h"

namespace hinge {

namespace {

constexpr Index kNone = PackedForest::kNone;

// Follows one edge of each node from the root: choose(node) names it.
template <class Choose>
void trace(const PackedForest& forest, std::vector<Index>& open, Derivation& out, Choose&& choose) {
  out.clear();
  open.assign(1, forest.root());
  while (!open.empty()) {
    const Index node = open.back();
    open.pop_back();
    const Index e = choose(node);
    out.push_back(e);
    const PackedForest::Edge& edge = forest.edges()[e];
    if (edge.right != kNone) open.push_back(edge.right);
    if (edge.left != kNone) open.push_back(edge.left);
  }
}

// The first edge of each node that is best where edges count as amount(e) and nodes as the sum below.
template <class Amount>
void best_edges(const PackedForest& forest, Vector& value, std::vector<Index>& winner, Amount&& amount) {
  value.assign(forest.nodes(), kForbidden);
  winner.assign(forest.nodes(), kNone);
  for (std::size_t n = 0; n < forest.nodes(); ++n)
    for (std::size_t e = forest.first_edge(n); e < forest.first_edge(n + 1); ++e) {
      const PackedForest::Edge& edge = forest.edges()[e];
      double v = amount(e);
      if (edge.left != kNone) v += value[edge.left];
      if (edge.right != kNone) v += value[edge.right];
      if (v > value[n]) value[n] = v, winner[n] = static_cast<Index>(e);
    }
}

// A forest whose inside maxima are known, as best_derivations.h wants it.
struct BestOf {
  const ForestScores& scores;
  std::span<const double> value;

  std::size_t root() const { return scores.forest.root(); }
  double best(std::size_t node) const { return value[node]; }
  template <class F>
  void for_each_edge(std::size_t node, F&& f) const {
    const PackedForest& forest = scores.forest;
    for (std::size_t e = forest.first_edge(node); e < forest.first_edge(node + 1); ++e) {
      const PackedForest::Edge& edge = forest.edges()[e];
      f(HyperEdge{scores.value[edge.part], child(edge.left), child(edge.right), e});
    }
  }
  static std::size_t child(Index node) { return node == kNone ? kNoChild : node; }
};

}  // namespace

double ForestScores::of(const Derivation& s) const {
  double sum = 0;
  for (const Index e : s) sum += value[forest.edges()[e].part];
  return sum;
}

Derivation ForestCounts::most_probable() const {
  if (hard_) return winner_;
  Vector value;
  std::vector<Index> winner, open;
  best_edges(*forest_, value, winner, [&](std::size_t e) { return edges_[e] > 0 ? edges_[e] : kForbidden; });
  Derivation best;
  if (value.back() != kForbidden) trace(*forest_, open, best, [&](Index node) { return winner[node]; });
  return best;
}

void ForestCounts::subtract(const Derivation& s) {
  for (const Index e : s) amounts_[forest_->edges()[e].part] -= 1;
}

void ForestCounts::scale(double factor) {
  for (double& amount : amounts_) amount *= factor;
}

void ForestCounts::set(const ForestScores& shape, std::span<const double> in) {
  forest_ = &shape.forest;
  hard_ = false;
  amounts_.assign(in.begin(), in.end());
  edges_.resize(forest_->edges().size());
  for (std::size_t e = 0; e < edges_.size(); ++e) edges_[e] = amounts_[forest_->edges()[e].part];
}

double ForestSweep::solve(const Scores& scores, double output_temperature, double latent_temperature,
                          Counts& counts) {
  assert(scores.value.size() >= scores.forest.parts());
  counts.forest_ = &scores.forest;
  counts.hard_ = output_temperature == 0;
  counts.winner_.clear();
  const double value =
      scores.forest.nodes() == 0 ? kForbidden : sweep_inside(scores, output_temperature, latent_temperature);
  sweep_outside(scores, output_temperature, latent_temperature, counts);
  if (value == kForbidden || !counts.hard_) return value;
  if (latent_temperature > 0 && !scores.hidden.empty()) {
    // At hidden nodes edges are as good as they are probable; at the others the winner stays.
    const auto amount = [&](std::size_t e) { return counts.edges_[e] > 0 ? counts.edges_[e] : kForbidden; };
    Vector& best = probability_;
    std::vector<Index>& winner = open_;
    best_edges(scores.forest, best, winner, amount);
    for (std::size_t n = 0; n < scores.forest.nodes(); ++n)
      if (scores.hides(n)) winner_[n] = winner[n];
  }
  trace(scores.forest, open_, counts.winner_, [&](Index node) { return winner_[node]; });
  return value;
}

double ForestSweep::sweep_inside(const Scores& scores, double output_temperature, double latent_temperature) {
  const PackedForest& forest = scores.forest;
  value_.resize(forest.nodes());
  winner_.resize(forest.nodes());
  for (std::size_t n = 0; n < forest.nodes(); ++n) {
    const double temperature = scores.hides(n) ? latent_temperature : output_temperature;
    double best = kForbidden;
    winner_[n] = kNone;
    for (std::size_t e = forest.first_edge(n); e < forest.first_edge(n + 1); ++e) {
      const double v = edge_value(scores, forest.edges()[e]);
      if (v > best) best = v, winner_[n] = static_cast<Index>(e);
    }
    value_[n] = best;
    if (temperature == 0 || best == kForbidden) continue;
    double sum = 0;
    for (std::size_t e = forest.first_edge(n); e < forest.first_edge(n + 1); ++e)
      sum += std::exp((edge_value(scores, forest.edges()[e]) - best) / temperature);
    value_[n] += temperature * std::log(sum);
  }
  return value_.back();
}

// How probable each node is, from the root down: an edge has its share of its node's.
void ForestSweep::sweep_outside(const Scores& scores, double output_temperature, double latent_temperature,
                                Counts& counts) {
  const PackedForest& forest = scores.forest;
  counts.amounts_.assign(scores.value.size(), 0.0);
  counts.edges_.assign(forest.edges().size(), 0.0);
  probability_.assign(forest.nodes(), 0.0);
  if (forest.nodes() == 0 || value_.back() == kForbidden) return;
  probability_.back() = 1;
  for (std::size_t n = forest.nodes(); n-- > 0;) {
    if (probability_[n] == 0) continue;
    const double temperature = scores.hides(n) ? latent_temperature : output_temperature;
    const auto use = [&](std::size_t e, double amount) {
      const PackedForest::Edge& edge = forest.edges()[e];
      counts.edges_[e] = amount;
      counts.amounts_[edge.part] += amount;
      if (edge.left != kNone) probability_[edge.left] += amount;
      if (edge.right != kNone) probability_[edge.right] += amount;
    };
    if (temperature == 0) {
      use(winner_[n], probability_[n]);
      continue;
    }
    for (std::size_t e = forest.first_edge(n); e < forest.first_edge(n + 1); ++e)
      use(e, probability_[n] * std::exp((edge_value(scores, forest.edges()[e]) - value_[n]) / temperature));
  }
}

std::vector<std::pair<Derivation, double>> ForestSweep::top(const Scores& scores, std::size_t k) {
  std::vector<std::pair<Derivation, double>> result;
  if (scores.forest.nodes() == 0) return result;
  sweep_inside(scores, 0, 0);
  const BestOf graph{scores, value_};
  for (const auto& [names, score] : BestDerivations(graph)(k))
    result.emplace_back(Derivation(names.begin(), names.end()), score);
  return result;
}

void ForestSweep::sample(const Scores& scores, double temperature, Random& random, Derivation& out) {
  const PackedForest& forest = scores.forest;
  trace(forest, open_, out, [&](Index node) {
    if (temperature == 0) return winner_[node];
    double left = random.uniform();
    std::size_t last = kNone;  // of those with any probability, where rounding leaves some over
    for (std::size_t e = forest.first_edge(node); e < forest.first_edge(node + 1); ++e) {
      const double p = std::exp((edge_value(scores, forest.edges()[e]) - value_[node]) / temperature);
      if (p == 0) continue;
      last = e;
      if ((left -= p) < 0) break;
    }
    return static_cast<Index>(last);
  });
}

double ForestSweep::structures(const Scores& scores) {
  const PackedForest& forest = scores.forest;
  Vector count(forest.nodes(), 0.0);
  for (std::size_t n = 0; n < forest.nodes(); ++n)
    for (std::size_t e = forest.first_edge(n); e < forest.first_edge(n + 1); ++e) {
      const PackedForest::Edge& edge = forest.edges()[e];
      count[n] += (edge.left == kNone ? 1 : count[edge.left]) * (edge.right == kNone ? 1 : count[edge.right]);
    }
  return count.empty() ? 0 : count.back();
}

// Open nodes are expanded one after another, the leftmost first.
void ForestSweep::for_each_structure(const Scores& scores, const std::function<void(const Derivation&)>& f) {
  const PackedForest& forest = scores.forest;
  if (forest.nodes() == 0) return;
  Derivation chosen;
  const auto expand = [&](auto&& self, std::vector<Index> open) -> void {
    if (open.empty()) return f(chosen);
    const Index node = open.back();
    open.pop_back();
    for (std::size_t e = forest.first_edge(node); e < forest.first_edge(node + 1); ++e) {
      const PackedForest::Edge& edge = forest.edges()[e];
      std::vector<Index> next = open;
      if (edge.right != kNone) next.push_back(edge.right);
      if (edge.left != kNone) next.push_back(edge.left);
      chosen.push_back(static_cast<Index>(e));
      self(self, std::move(next));
      chosen.pop_back();
    }
  };
  expand(expand, {forest.root()});
}

Derivation ForestSweep::outputs(const Scores& scores, const Derivation& s) {
  Derivation shown;
  for (const Index e : s) {
    std::size_t node = 0;
    while (scores.forest.first_edge(node + 1) <= e) ++node;
    if (!scores.hides(node)) shown.push_back(e);
  }
  return shown;
}

}  // namespace hinge
