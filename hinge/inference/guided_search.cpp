// Guided chains with features of the whole: the recursion over pairs of a label and a state of the product of
// all automata, level by level, all of them or the best few.
#include <algorithm>
#include <limits>
#include <numeric>

#include "hinge/inference/forest.h"
#include "hinge/inference/guided_chain.h"

namespace hinge {
namespace {

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

}  // namespace

bool GuidedChain::keeps_required(Index state) const {
  return std::ranges::all_of(required_parts_, [&](std::size_t p) { return product_.accepts(state, p); });
}

bool GuidedChain::may_keep_required(Index state) const {
  return std::ranges::all_of(required_parts_, [&](std::size_t p) { return product_.alive(state, p); });
}

std::uint32_t GuidedChain::node_at(Index label, Index state, double ending) {
  const std::size_t cell = std::size_t{state} * scores_->base.labels() + label;
  if (cell >= place_.size()) place_.resize(2 * (cell + 1), kNowhere);
  if (place_[cell] == kNowhere) {
    place_[cell] = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({label, state, kForbidden, kNowhere, ending});
  }
  return place_[cell];
}

// Makes the level of position t from the one before.
void GuidedChain::expand(std::size_t t, bool keep_arcs) {
  const std::size_t K = scores_->base.labels(), S = scores_->base.stride();
  const double* node = node_.data() + t * S;
  const double* gains = scores_->gains().data() + (scores_->features().size() - product_.parts());
  const auto arrive = [&](std::uint32_t from, Index state, double ending, std::size_t label, double score,
                          double best) {
    const Index next = product_.step(state, label);
    product_.for_each_change(state, label, [&](std::size_t part, bool accepts) {
      ending += accepts ? gains[part] : -gains[part];
    });
    const std::uint32_t to = node_at(static_cast<Index>(label), next, ending);
    if (best > nodes_[to].best) nodes_[to].best = best, nodes_[to].back = from;
    if (keep_arcs) arcs_.push_back({from, to, score});
  };
  const std::size_t before = t == 0 ? 0 : level_.back(), end = nodes_.size();
  level_.push_back(end);
  arc_level_.push_back(arcs_.size());
  if (t == 0) {
    double ending = 0;
    for (std::size_t p = 0; p < product_.parts(); ++p)
      if (product_.accepts(0, p)) ending += gains[p];
    for (std::size_t b = 0; b < K; ++b)
      if (node[b] != kForbidden) arrive(kNowhere, 0, ending, b, node[b], node[b]);
    return;
  }
  const double* table = edges(t - 1);
  for (std::size_t n = before; n < end; ++n) {
    const auto [label, state, best, back, ending] = nodes_[n];
    for (std::size_t b = 0; b < K; ++b) {
      const double score = table[label * S + b] + node[b];
      if (score != kForbidden) arrive(static_cast<std::uint32_t>(n), state, ending, b, score, best + score);
    }
  }
}

// Keeps the best nodes of the last level, by what they would score if the sequence ended there.
void GuidedChain::prune(std::size_t keep) {
  const std::size_t first = level_.back(), count = nodes_.size() - first;
  rank_.resize(count);
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), 0u);
  for (std::size_t n = 0; n < count; ++n) {
    const Node& node = nodes_[first + n];
    rank_[n] = may_keep_required(node.state) ? node.best + node.ending : kForbidden;
  }
  std::size_t kept = count;
  if (count > keep) {
    const auto higher = [&](std::uint32_t a, std::uint32_t b) {
      return rank_[a] != rank_[b] ? rank_[a] > rank_[b] : a < b;
    };
    std::nth_element(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(keep), order_.end(),
                     higher);
    answer_.exact = false;
    kept = keep;
  }
  moved_.assign(count, kNowhere);
  for (std::size_t k = 0; k < kept; ++k)
    if (rank_[order_[k]] != kForbidden) moved_[order_[k]] = 0;
  std::size_t next = first;
  for (std::size_t n = 0; n < count; ++n) {
    const Node node = nodes_[first + n];
    place_[std::size_t{node.state} * scores_->base.labels() + node.label] = kNowhere;
    if (moved_[n] == kNowhere) continue;
    moved_[n] = static_cast<std::uint32_t>(next);
    nodes_[next++] = node;
  }
  nodes_.resize(next);
  std::size_t arc = arc_level_.back();
  for (std::size_t a = arc; a < arcs_.size(); ++a) {
    const std::uint32_t to = moved_[arcs_[a].to - first];
    if (to != kNowhere) arcs_[arc++] = {arcs_[a].from, to, arcs_[a].score};
  }
  arcs_.resize(arc);
}

void GuidedChain::make_lattice(bool keep_arcs) {
  const std::size_t T = scores_->base.length(), K = scores_->base.labels();
  product_.make(scores_->shared(), scores_->features().wholes, K);
  const bool all = product_.within(settings.states / K);
  answer_ = {.way = all ? std::size_t{1} : std::size_t{2}};
  nodes_.clear();
  arcs_.clear();
  level_.clear();
  arc_level_.clear();
  required_parts_.clear();
  const std::size_t first = scores_->features().size() - product_.parts();
  for (std::size_t p = 0; p < product_.parts(); ++p)
    if (scores_->required(first + p)) required_parts_.push_back(p);
  for (std::size_t t = 0; t < T; ++t) {
    expand(t, keep_arcs);
    prune(all ? std::numeric_limits<std::size_t>::max() : settings.beam);
  }
}

// The lattice as a packed forest: a node is made by one of the arcs into it, the root by one of the ends.
std::vector<std::pair<Path, double>> GuidedChain::top(const Scores& scores, std::size_t k) {
  if (scores.base.length() == 0) return {{{}, scores.of({})}};
  prepare(scores);
  make_lattice(true);
  std::ranges::stable_sort(arcs_, {}, &Arc::to);
  ForestScores lattice;
  auto arc = arcs_.begin();
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    lattice.forest.add_node();
    for (; arc != arcs_.end() && arc->to == n; ++arc) {
      const auto part = static_cast<Index>(lattice.value.size());
      lattice.value.push_back(arc->score);
      arc->from == kNowhere ? lattice.forest.add_edge(part) : lattice.forest.add_edge(part, arc->from);
    }
  }
  lattice.forest.add_node();
  for (std::size_t n = level_.back(); n < nodes_.size(); ++n) {
    lattice.forest.add_edge(static_cast<Index>(lattice.value.size()), static_cast<Index>(n));
    lattice.value.push_back(ending(nodes_[n]));
  }
  std::vector<std::pair<Path, double>> found;
  for (const auto& [derivation, score] : ForestSweep().top(lattice, k)) {
    Path path;
    for (const Index edge : derivation)  // from the end on
      if (edge < arcs_.size()) path.push_back(static_cast<int>(nodes_[arcs_[edge].to].label));
    std::ranges::reverse(path);
    found.emplace_back(std::move(path), score);
  }
  return found;
}

double GuidedChain::search(double temperature, Counts& counts) {
  const std::size_t T = scores_->base.length();
  make_lattice(temperature > 0);
  if (temperature > 0) return sum_lattice(temperature, counts);

  double value = kForbidden;
  std::size_t last = level_.back();
  for (std::size_t n = level_.back(); n < nodes_.size(); ++n) {
    const double score = nodes_[n].best + ending(nodes_[n]);
    if (score > value) value = score, last = n;
  }
  if (value == kForbidden) {
    std::ranges::fill(counts.path_, 0);
    return value;
  }
  for (std::size_t t = T; t-- > 0; last = nodes_[last].back)
    counts.path_[t] = static_cast<int>(nodes_[last].label);
  return value;
}

// Forward and backward over the arcs that were kept.
double GuidedChain::sum_lattice(double temperature, Counts& counts) {
  const std::size_t T = scores_->base.length(), K = scores_->base.labels(), S = scores_->base.stride();
  const Constraints& features = scores_->features();
  const std::size_t first_whole = features.size() - features.wholes.size();
  forward_.assign(std::max(forward_.size(), nodes_.size()), kForbidden);
  backward_.assign(std::max(backward_.size(), nodes_.size()), kForbidden);
  terms_.assign(nodes_.size(), 0.0);
  level_.push_back(nodes_.size());
  arc_level_.push_back(arcs_.size());
  const auto soften = [&](Vector& values, std::size_t first, std::size_t end) {
    for (std::size_t n = first; n < end; ++n)
      if (values[n] != kForbidden) values[n] += temperature * std::log(terms_[n]);
  };
  for (std::size_t t = 0; t < T; ++t) {
    const auto come = [&](const Arc& arc) {
      return arc.from == kNowhere ? arc.score : forward_[arc.from] + arc.score;
    };
    for (std::size_t a = arc_level_[t]; a < arc_level_[t + 1]; ++a)
      forward_[arcs_[a].to] = std::max(forward_[arcs_[a].to], come(arcs_[a]));
    for (std::size_t a = arc_level_[t]; a < arc_level_[t + 1]; ++a)
      if (const double score = come(arcs_[a]); score != kForbidden)
        terms_[arcs_[a].to] += std::exp((score - forward_[arcs_[a].to]) / temperature);
    soften(forward_, level_[t], level_[t + 1]);
  }

  double top = kForbidden, total = 0;
  for (std::size_t n = level_[T - 1]; n < level_[T]; ++n) {
    backward_[n] = ending(nodes_[n]);
    top = std::max(top, forward_[n] + backward_[n]);
  }
  if (top == kForbidden) return top;
  for (std::size_t n = level_[T - 1]; n < level_[T]; ++n)
    total += std::exp((forward_[n] + backward_[n] - top) / temperature);
  const double value = top + temperature * std::log(total);
  const auto probability = [&](double score) { return std::exp((score - value) / temperature); };
  for (std::size_t n = level_[T - 1]; n < level_[T]; ++n)
    if (const double p = probability(forward_[n] + backward_[n]); p > 0)
      for (std::size_t part = 0; part < product_.parts(); ++part)
        if (product_.accepts(nodes_[n].state, part)) counts.phi_[first_whole + part] += p;

  pair_.resize(K * S);
  std::ranges::fill(terms_, 0.0);
  for (std::size_t t = T; t-- > 0;) {
    for (std::size_t n = level_[t]; n < level_[t + 1]; ++n)
      counts.node_[t * S + nodes_[n].label] += probability(forward_[n] + backward_[n]);
    if (t == 0) break;
    std::ranges::fill(pair_, 0.0);
    for (std::size_t a = arc_level_[t]; a < arc_level_[t + 1]; ++a) {
      const auto [from, to, score] = arcs_[a];
      backward_[from] = std::max(backward_[from], score + backward_[to]);
    }
    for (std::size_t a = arc_level_[t]; a < arc_level_[t + 1]; ++a) {
      const auto [from, to, score] = arcs_[a];
      if (backward_[to] == kForbidden) continue;
      terms_[from] += std::exp((score + backward_[to] - backward_[from]) / temperature);
      pair_[nodes_[from].label * S + nodes_[to].label] += probability(forward_[from] + score + backward_[to]);
    }
    soften(backward_, level_[t - 1], level_[t]);
    count_pairs(t - 1, pair_.data(), counts);
  }
  return value;
}

}  // namespace hinge
