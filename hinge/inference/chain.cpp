#include "hinge/inference/chain.h"

#include <algorithm>
#include <cstring>

namespace hinge {

void ChainScores::shape(std::size_t length, std::size_t labels) {
  length_ = length;
  labels_ = labels;
  stride_ = kernels::padded(labels);
  node_.assign(length * stride_, 0.0);
  edge_.assign(labels * stride_, 0.0);
  hidden_.clear();
  hidden_count_ = 0;
}

double ChainScores::of(const Path& path) const {
  double sum = 0;
  for (std::size_t t = 0; t < length_; ++t) {
    sum += node(t)[path[t]];
    if (t > 0) sum += edge(path[t - 1])[path[t]];
  }
  return sum;
}

void ChainScores::hide(std::size_t t) {
  hidden_.resize(length_);
  hidden_count_ += hidden_[t] == 0;
  hidden_[t] = 1;
}

void ChainCounts::subtract(const Path& path) {
  subtract_nodes(path);
  if (hard_) return;
  for (std::size_t t = 1; t < path.size(); ++t) edge_[path[t - 1] * stride_ + path[t]] -= 1;
}

void ChainCounts::scale(double factor) {
  scale_nodes(factor);
  if (hard_) return;
  for (double& v : edge_) v *= factor;
}

double Chain::solve(const Scores& scores, double output_temperature, double latent_temperature,
                    Counts& counts) {
  if (scores.hidden() == 0 || output_temperature == latent_temperature || scores.length() == 0)
    return solve_alike(scores, output_temperature, counts);
  double value;
  if (scores.hidden() == scores.length())
    value = solve_alike(scores, latent_temperature, counts);
  else if (output_temperature == 0)
    value = maximise_outputs(scores, latent_temperature, counts);
  else
    return sum_outputs(scores, output_temperature, latent_temperature, counts);
  if (!counts.hard_) counts.path_ = counts.most_probable();
  return value;
}

double Chain::solve_alike(const Scores& scores, double temperature, Counts& counts) {
  counts.begin(temperature == 0, scores.length(), scores.labels(), scores.stride());
  if (scores.length() == 0) return 0;
  if (counts.hard_) return maximise(scores, counts.path_);
  prepare_edges(scores, temperature);
  double value;
  if (sum_by_products(scores, temperature, value, counts)) return value;
  return sum_by_logarithms(scores, temperature, counts);
}

void Chain::sum_out(const Scores& scores, double temperature, bool keep) {
  RunEdges edges{scores.labels(), scores.stride(), scores.edge(0)};
  if (temperature > 0) prepare_edges(scores, temperature);
  if (temperature > 0 && edges_.moderate) {
    edges.exponential = edges_.exponential.data();
    edges.transposed = edges_.transposed.data();
    edges.shift = edges_.shift;
  }
  mixed_.sum_out(scores, edges, temperature, keep);
}

// The gradient of a maximum over outputs is that of its winner: the hidden positions summed beside it.
double Chain::maximise_outputs(const Scores& scores, double latent_temperature, Counts& counts) {
  sum_out(scores, latent_temperature, false);
  counts.path_.resize(scores.length());
  mixed_.maximise(scores, counts.path_);
  clamped_ = scores;
  for (std::size_t t = 0; t < scores.length(); ++t) {
    if (scores.hidden(t)) continue;
    std::fill_n(clamped_.node(t), scores.labels(), kForbidden);
    clamped_.node(t)[counts.path_[t]] = scores.node(t)[counts.path_[t]];
  }
  return solve_alike(clamped_, latent_temperature, counts);
}

double Chain::sum_outputs(const Scores& scores, double output_temperature, double latent_temperature,
                          Counts& counts) {
  counts.begin(false, scores.length(), scores.labels(), scores.stride());
  counts.node_.assign(scores.length() * scores.stride(), 0.0);
  counts.edge_.assign(scores.labels() * scores.stride(), 0.0);
  sum_out(scores, latent_temperature, true);
  return mixed_.sum(scores, output_temperature, counts.node_.data(), counts.edge_.data());
}

// forward[t][b] = the best score of a path up to t that ends in b
double Chain::forward_max(const Scores& scores) {
  const std::size_t T = scores.length(), K = scores.labels(), S = scores.stride();
  if (forward_.size() < T * S) forward_.resize(T * S);
  std::copy_n(scores.node(0), S, forward_.data());
  for (std::size_t t = 1; t < T; ++t) {
    double* row = forward_.data() + t * S;
    kernels::max_plus(row, row - S, scores.edge(0), K, S);
    const double* node = scores.node(t);
    for (std::size_t b = 0; b < K; ++b) row[b] += node[b];
  }
  return kernels::maximum(forward_.data() + (T - 1) * S, K);
}

double Chain::maximise(const Scores& scores, Path& path) {
  const std::size_t T = scores.length(), K = scores.labels(), S = scores.stride();
  forward_max(scores);
  const double* row = forward_.data() + (T - 1) * S;
  std::size_t label = arg_max({row, K});
  const double value = row[label];
  path[T - 1] = static_cast<int>(label);
  for (std::size_t t = T - 1; t > 0; --t) {
    row -= S;
    std::size_t best = 0;
    double top = kForbidden;
    for (std::size_t a = 0; a < K; ++a) {
      const double candidate = row[a] + scores.edge(a)[label];
      if (candidate > top) top = candidate, best = a;
    }
    label = best;
    path[t - 1] = static_cast<int>(label);
  }
  return value;
}

void Chain::prepare_edges(const Scores& scores, double temperature) {
  const std::size_t K = scores.labels(), S = scores.stride();
  const std::size_t size = K * S;
  if (edges_.temperature == temperature && edges_.scores.size() == size &&
      std::memcmp(edges_.scores.data(), scores.edge(0), size * sizeof(double)) == 0)
    return;
  edges_.temperature = temperature;
  edges_.scores.assign(scores.edge(0), scores.edge(0) + size);
  double low = -kForbidden, high = kForbidden;
  for (std::size_t a = 0; a < K; ++a)
    for (std::size_t b = 0; b < K; ++b) {
      low = std::min(low, scores.edge(a)[b]);
      high = std::max(high, scores.edge(a)[b]);
    }
  edges_.shift = high;
  edges_.moderate = (high - low) / temperature <= 300;
  if (!edges_.moderate) return;
  edges_.exponential.resize(size);
  edges_.transposed.assign(size, 0.0);
  kernels::exponential(edges_.exponential.data(), edges_.scores.data(), size, high, 1 / temperature);
  for (std::size_t a = 0; a < K; ++a)
    for (std::size_t b = 0; b < K; ++b) edges_.transposed[b * S + a] = edges_.exponential[a * S + b];
}

// Forward-backward on exp(scores / τ), each row scaled to sum 1. Since the pair scores are within e^300 of
// each other, what underflows to 0 is below e^-400 of the sum. False when a position forbids every label or
// the pairs are too far apart.
bool Chain::sum_by_products(const Scores& scores, double temperature, double& value, Counts& counts) {
  if (!edges_.moderate) return false;
  const std::size_t T = scores.length(), K = scores.labels(), S = scores.stride();
  for (Vector* v : {&forward_, &backward_, &emission_})
    if (v->size() < T * S) v->resize(T * S);
  counts.node_.resize(T * S);
  counts.edge_.assign(K * S, 0.0);

  // forward[t][b] ∝ Σ over paths up to t that end in b; emission[t] is divided by the same scale.
  double logarithm = 0;
  for (std::size_t t = 0; t < T; ++t) {
    double* alpha = forward_.data() + t * S;
    double* e = emission_.data() + t * S;
    const double top = kernels::maximum(scores.node(t), K);
    if (top == kForbidden) return false;
    kernels::exponential(e, scores.node(t), S, top, 1 / temperature);
    if (t > 0) {
      kernels::multiply(alpha, alpha - S, edges_.exponential.data(), K, S);
      for (std::size_t k = 0; k < K; ++k) alpha[k] *= e[k];
    } else {
      std::copy_n(e, K, alpha);
    }
    double sum = 0;
    for (std::size_t k = 0; k < K; ++k) sum += alpha[k];
    const double inverse = 1 / sum;
    for (std::size_t k = 0; k < K; ++k) alpha[k] *= inverse, e[k] *= inverse;
    for (std::size_t k = K; k < S; ++k) alpha[k] = e[k] = 0;
    logarithm += std::log(sum) + top / temperature;
  }
  value = temperature * logarithm + static_cast<double>(T - 1) * edges_.shift;

  // backward[t] holds emission[t] ∘ beta[t], so that forward[t-1] ⊗ backward[t] counts the pairs.
  double* last = counts.node_.data() + (T - 1) * S;
  std::copy_n(forward_.data() + (T - 1) * S, S, last);
  std::copy_n(emission_.data() + (T - 1) * S, S, backward_.data() + (T - 1) * S);
  for (std::size_t t = T - 1; t > 0; --t) {
    double* beta = backward_.data() + (t - 1) * S;
    kernels::multiply(beta, beta + S, edges_.transposed.data(), K, S);
    const double* alpha = forward_.data() + (t - 1) * S;
    const double* e = emission_.data() + (t - 1) * S;
    double* marginal = counts.node_.data() + (t - 1) * S;
    for (std::size_t k = 0; k < S; ++k) {
      marginal[k] = alpha[k] * beta[k];
      beta[k] *= e[k];
    }
  }
  kernels::add_product(counts.edge_.data(), forward_.data(), backward_.data() + S, T - 1, K, S);
  for (std::size_t k = 0; k < K * S; ++k) counts.edge_[k] *= edges_.exponential[k];
  return true;
}

// The same by smooth_max of the scores themselves: slower, and right at every range.
double Chain::sum_by_logarithms(const Scores& scores, double temperature, Counts& counts) {
  const std::size_t T = scores.length(), K = scores.labels(), S = scores.stride();
  for (Vector* v : {&forward_, &backward_})
    if (v->size() < T * S) v->resize(T * S);
  counts.node_.assign(T * S, 0.0);
  counts.edge_.assign(K * S, 0.0);
  Vector terms(K);
  std::copy_n(scores.node(0), K, forward_.data());
  for (std::size_t t = 1; t < T; ++t)
    for (std::size_t b = 0; b < K; ++b) {
      for (std::size_t a = 0; a < K; ++a) terms[a] = forward_[(t - 1) * S + a] + scores.edge(a)[b];
      forward_[t * S + b] = smooth_max(terms, temperature) + scores.node(t)[b];
    }
  const double value = smooth_max({forward_.data() + (T - 1) * S, K}, temperature);
  if (value == kForbidden) return value;
  const auto probability = [&](double score) { return std::exp((score - value) / temperature); };
  std::fill_n(backward_.data() + (T - 1) * S, K, 0.0);
  for (std::size_t t = T; t-- > 0;) {
    double* beta = backward_.data() + t * S;
    if (t + 1 < T) {
      for (std::size_t a = 0; a < K; ++a) {
        for (std::size_t b = 0; b < K; ++b) {
          terms[b] = scores.edge(a)[b] + scores.node(t + 1)[b] + beta[S + b];
          counts.edge_[a * S + b] += probability(forward_[t * S + a] + terms[b]);
        }
        beta[a] = smooth_max(terms, temperature);
      }
    }
    for (std::size_t k = 0; k < K; ++k) counts.node_[t * S + k] = probability(forward_[t * S + k] + beta[k]);
  }
  return value;
}

}  // namespace hinge
