#include "hinge/inference/mixed_chain.h"

#include <algorithm>

#include "hinge/inference/chain.h"

namespace hinge {

void MixedChain::sum_out(const ChainScores& scores, const RunEdges& edges, double latent_temperature,
                         bool keep) {
  const std::size_t K = edges.labels, S = edges.stride;
  edges_ = edges;
  outputs_.clear();
  hidden_.clear();
  first_.assign(1, 0);
  for (std::size_t t = 0; t < scores.length(); ++t) {
    if (scores.hidden(t)) {
      hidden_.push_back(t);
    } else {
      outputs_.push_back(t);
      first_.push_back(hidden_.size());
    }
  }
  // The last run is summed from its end, along the edges backwards.
  std::reverse(hidden_.begin() + static_cast<std::ptrdiff_t>(first_.back()), hidden_.end());
  first_.push_back(hidden_.size());
  nodes_.clear();
  for (std::size_t t : hidden_) nodes_.push_back(scores.node(t));
  RunEdges backward = edges;
  std::swap(backward.exponential, backward.transposed);
  transposed_scores_.resize(K * S);
  for (std::size_t a = 0; a < K; ++a)
    for (std::size_t b = 0; b < K; ++b) transposed_scores_[b * S + a] = edges.scores[a * S + b];
  backward.scores = transposed_scores_.data();

  if (runs_.size() <= outputs_.size()) runs_.resize(outputs_.size() + 1);
  for (std::size_t i = 0; i <= outputs_.size(); ++i) {
    if (run_length(i) == 0) continue;
    const bool last = i == outputs_.size();
    runs_[i].sum_out(std::span(nodes_).subspan(first_[i], run_length(i)),
                     i == 0 || last ? HiddenRun::Before::nothing : HiddenRun::Before::label,
                     last ? backward : edges, latent_temperature, keep);
  }
  score_outputs(scores);
}

const double* MixedChain::between(const ChainScores& scores, std::size_t i) const {
  return run_length(i) == 0 ? scores.edge(0) : runs_[i].table();
}

void MixedChain::score_outputs(const ChainScores& scores) {
  const std::size_t K = edges_.labels, S = edges_.stride, m = outputs_.size();
  own_.resize(m * S);
  for (std::size_t i = 0; i < m; ++i) std::copy_n(scores.node(outputs_[i]), S, own_.data() + i * S);
  const auto add = [&](std::size_t i, std::size_t run) {
    if (run_length(run) == 0) return;
    for (std::size_t b = 0; b < K; ++b) own_[i * S + b] += runs_[run].entry(0, b);
  };
  add(0, 0);
  add(m - 1, m);
}

void MixedChain::maximise(const ChainScores& scores, Path& path) {
  const std::size_t K = edges_.labels, S = edges_.stride, m = outputs_.size();
  forward_.resize(m * S);
  std::copy_n(own_.data(), S, forward_.data());
  for (std::size_t i = 1; i < m; ++i) {
    double* row = forward_.data() + i * S;
    if (run_length(i) > 0)
      runs_[i].maximise(row - S, row);
    else
      kernels::max_plus(row, row - S, scores.edge(0), K, S);
    for (std::size_t b = 0; b < K; ++b) row[b] += own_[i * S + b];
  }
  std::size_t label = arg_max({forward_.data() + (m - 1) * S, K});
  path[outputs_[m - 1]] = static_cast<int>(label);
  terms_.resize(K);
  for (std::size_t i = m - 1; i > 0; --i) {
    for (std::size_t a = 0; a < K; ++a)
      terms_[a] =
          forward_[(i - 1) * S + a] + (run_length(i) > 0 ? runs_[i].entry(a, label) : scores.edge(a)[label]);
    label = arg_max(terms_);
    path[outputs_[i - 1]] = static_cast<int>(label);
  }
}

double MixedChain::sum(const ChainScores& scores, double temperature, double* node_counts,
                       double* edge_counts) {
  const std::size_t K = edges_.labels, S = edges_.stride, m = outputs_.size();
  forward_.resize(m * S);
  backward_.assign(m * S, 0.0);
  terms_.resize(K);
  std::copy_n(own_.data(), K, forward_.data());
  for (std::size_t i = 1; i < m; ++i) {
    const double* table = between(scores, i);
    for (std::size_t b = 0; b < K; ++b) {
      for (std::size_t a = 0; a < K; ++a) terms_[a] = forward_[(i - 1) * S + a] + table[a * S + b];
      forward_[i * S + b] = smooth_max(terms_, temperature) + own_[i * S + b];
    }
  }
  const double value = smooth_max({forward_.data() + (m - 1) * S, K}, temperature);
  if (value == kForbidden) return value;

  node_counts_.clear();
  for (std::size_t t : hidden_) node_counts_.push_back(node_counts + t * S);
  const auto probability = [&](double score) { return std::exp((score - value) / temperature); };
  for (std::size_t i = m; i-- > 0;) {
    if (i + 1 < m) {
      const double* table = between(scores, i + 1);
      pairs_.assign(K * S, 0.0);
      for (std::size_t a = 0; a < K; ++a) {
        for (std::size_t b = 0; b < K; ++b) {
          terms_[b] = table[a * S + b] + own_[(i + 1) * S + b] + backward_[(i + 1) * S + b];
          pairs_[a * S + b] = probability(forward_[i * S + a] + terms_[b]);
        }
        backward_[i * S + a] = smooth_max(terms_, temperature);
      }
      add_run_counts(i + 1, edge_counts);
    }
    double* counts = node_counts + outputs_[i] * S;
    for (std::size_t k = 0; k < K; ++k) counts[k] = probability(forward_[i * S + k] + backward_[i * S + k]);
  }
  for (const std::size_t end : {std::size_t{0}, m}) {
    if (run_length(end) == 0) continue;
    const std::size_t output = end == 0 ? outputs_.front() : outputs_.back();
    pairs_.assign(node_counts + output * S, node_counts + (output + 1) * S);
    add_run_counts(end, edge_counts);
  }
  return value;
}

// Spreads pairs_, how often each entry of the run's table is used, over its positions.
void MixedChain::add_run_counts(std::size_t run, double* edge_counts) {
  const std::size_t K = edges_.labels, S = edges_.stride;
  if (run_length(run) == 0) {
    for (std::size_t k = 0; k < K * S; ++k) edge_counts[k] += pairs_[k];
    return;
  }
  const auto rows = std::span(node_counts_).subspan(first_[run], run_length(run));
  if (run < outputs_.size()) {
    runs_[run].add_counts(pairs_.data(), rows, edge_counts);
    return;
  }
  turned_.assign(K * S, 0.0);
  runs_[run].add_counts(pairs_.data(), rows, turned_.data());
  for (std::size_t a = 0; a < K; ++a)
    for (std::size_t b = 0; b < K; ++b) edge_counts[a * S + b] += turned_[b * S + a];
}

}  // namespace hinge
