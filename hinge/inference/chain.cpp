#include "hinge/inference/chain.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "hinge/inference/padding.h"

namespace hinge {
namespace {

// Rows keep to the same safe range as in Chain::sum_by_products, else sums are made of the scores themselves.
struct SharedLabels {
  const ChainScores& scores;
  const RunEdges& edges;
  double temperature;
  Vector &exponents, &terms;

  std::size_t length() const { return scores.length(); }
  std::size_t states() const { return scores.labels(); }
  std::size_t outputs() const { return scores.labels() / scores.states(); }
  std::size_t output(std::size_t t, std::size_t s) const {
    return scores.hidden(t) ? 0 : s / scores.states();
  }
  double node(std::size_t t, std::size_t s) const { return scores.node(t)[s]; }

  void forward(const double* before, double* after) { sum(before, edges.exponential, true, after); }
  void backward(const double* after, double* before) { sum(after, edges.transposed, false, before); }

  // out[b] = T_τ over a of (in[a] + edge[a][b]), or of edge[b][a]
  void sum(const double* in, const double* products, bool along, double* out) {
    const std::size_t K = states(), S = edges.stride;
    const double top = raise(in);
    if (top == kForbidden) return std::fill_n(out, K, kForbidden), void();
    if (products != nullptr) {
      kernels::multiply(terms.data(), exponents.data(), products, K, S);
      for (std::size_t b = 0; b < K; ++b) out[b] = top + edges.shift + temperature * std::log(terms[b]);
      return;
    }
    for (std::size_t b = 0; b < K; ++b) {
      for (std::size_t a = 0; a < K; ++a)
        terms[a] = in[a] + (along ? edges.scores[a * S + b] : edges.scores[b * S + a]);
      out[b] = smooth_max({terms.data(), K}, temperature);
    }
  }

  void backward_best(std::size_t t, const double* after, double* before) {
    if (scores.hidden(t)) return backward(after, before);
    const std::size_t K = states(), S = edges.stride, n = scores.states();
    const double top = raise(after);
    if (top == kForbidden) return std::fill_n(before, K, kForbidden), void();
    for (std::size_t a = 0; a < K; ++a) {
      double best = edges.exponential != nullptr ? 0 : kForbidden;
      for (std::size_t first = 0; first < K; first += n) {
        double sum = 0;
        if (edges.exponential != nullptr) {
          for (std::size_t b = first; b < first + n; ++b) sum += edges.exponential[a * S + b] * exponents[b];
        } else {
          for (std::size_t b = first; b < first + n; ++b) terms[b] = edges.scores[a * S + b] + after[b];
          sum = smooth_max({terms.data() + first, n}, temperature);
        }
        best = std::max(best, sum);
      }
      before[a] = edges.exponential != nullptr ? top + edges.shift + temperature * std::log(best) : best;
    }
  }

  // exponents = exp((in − top) / τ); returns top, the largest.
  double raise(const double* in) {
    const std::size_t K = states();
    const double top = kernels::maximum(in, K);
    if (top == kForbidden || edges.exponential == nullptr) return top;
    std::copy_n(in, K, exponents.data());
    kernels::exponential(exponents.data(), exponents.data(), edges.stride, top, 1 / temperature);
    return top;
  }
};

}  // namespace

void ChainScores::shape(std::size_t length, std::size_t labels) {
  length_ = length;
  labels_ = labels;
  stride_ = kernels::padded(labels);
  node_.assign(length * stride_, 0.0);
  edge_.assign(labels * stride_, 0.0);
  hidden_.clear();
  hidden_count_ = 0;
  states_ = 1;
}

double ChainScores::of(const Path& path) const {
  double sum = 0;
  for (std::size_t t = 0; t < length_; ++t) {
    sum += node(t)[path[t]];
    if (t > 0) sum += edge(path[t - 1])[path[t]];
  }
  return sum;
}

void ChainScores::get(std::span<double> out) const {
  double* end = drop_padding(node_.data(), length_, labels_, stride_, out.data());
  if (length_ > 1) drop_padding(edge_.data(), labels_, labels_, stride_, end);
}

void ChainScores::set(std::span<const double> in) {
  const double* end = add_padding(in.data(), length_, labels_, stride_, node_.data());
  if (length_ > 1) add_padding(end, labels_, labels_, stride_, edge_.data());
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

void ChainCounts::get(std::span<double> out) const {
  assert(!hard_);
  double* end = drop_padding(node_.data(), length(), labels_, stride_, out.data());
  if (length() > 1) drop_padding(edge_.data(), labels_, labels_, stride_, end);
}

void ChainCounts::set(const ChainScores& shape, std::span<const double> in) {
  begin(false, shape.length(), shape.labels(), shape.stride());
  node_.resize(length() * stride_);
  edge_.resize(labels_ * stride_);
  const double* end = add_padding(in.data(), length(), labels_, stride_, node_.data());
  if (length() > 1) add_padding(end, labels_, labels_, stride_, edge_.data());
}

void ChainCounts::scale(double factor) {
  scale_nodes(factor);
  if (hard_) return;
  for (double& v : edge_) v *= factor;
}

double Chain::solve(const Scores& scores, double output_temperature, double latent_temperature,
                    Counts& counts) {
  answer_ = {};
  if ((scores.hidden() == 0 && scores.states() == 1) || output_temperature == latent_temperature ||
      scores.length() == 0)
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

double Chain::value(const Scores& scores, double temperature) {
  answer_ = {};
  if (scores.length() == 0) return 0;
  prepare_edges(scores, temperature);
  double value;
  if (forward_products(scores, temperature, value)) return value;
  return solve_alike(scores, temperature, unasked_);
}

RunEdges Chain::run_edges(const Scores& scores, double temperature) {
  RunEdges edges{scores.labels(), scores.stride(), scores.edge(0)};
  if (temperature > 0) prepare_edges(scores, temperature);
  if (temperature > 0 && edges_.moderate) {
    edges.exponential = edges_.exponential.data();
    edges.transposed = edges_.transposed.data();
    edges.shift = edges_.shift;
  }
  return edges;
}

// What the best path of states shows is where the search begins.
void Chain::search_outputs(const Scores& scores, double latent_temperature, Path& outputs) {
  maximise(scores, outputs);
  for (std::size_t t = 0; t < outputs.size(); ++t) outputs[t] = std::max(0, scores.output(t, outputs[t]));
  const RunEdges edges = run_edges(scores, latent_temperature);
  emission_.resize(std::max(emission_.size(), scores.stride()));
  backward_.resize(std::max(backward_.size(), scores.stride()));
  SharedLabels lattice{scores, edges, latent_temperature, emission_, backward_};
  answer_ = {.way = kSearch, .exact = search_.solve(lattice, latent_temperature, outputs)};
}

// The gradient of a maximum over outputs is that of its winner: the hidden positions summed beside it.
double Chain::maximise_outputs(const Scores& scores, double latent_temperature, Counts& counts) {
  Path& outputs = counts.path_;
  outputs.resize(scores.length());
  if (scores.states() > 1) {
    search_outputs(scores, latent_temperature, outputs);
  } else {
    mixed_.sum_out(scores, run_edges(scores, latent_temperature), latent_temperature, false);
    mixed_.maximise(scores, outputs);
  }
  clamped_ = scores;
  for (std::size_t t = 0; t < scores.length(); ++t) {
    if (scores.hidden(t)) continue;
    for (std::size_t k = 0; k < scores.labels(); ++k)
      if (scores.output(t, k) != outputs[t]) clamped_.node(t)[k] = kForbidden;
  }
  return solve_alike(clamped_, latent_temperature, counts);
}

double Chain::sum_outputs(const Scores& scores, double output_temperature, double latent_temperature,
                          Counts& counts) {
  counts.begin(false, scores.length(), scores.labels(), scores.stride());
  counts.node_.assign(scores.length() * scores.stride(), 0.0);
  counts.edge_.assign(scores.labels() * scores.stride(), 0.0);
  assert(scores.states() == 1);
  mixed_.sum_out(scores, run_edges(scores, latent_temperature), latent_temperature, true);
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

// Forward on exp(scores / τ), each row scaled to sum 1. Since the pair scores are within e^300 of each other,
// what underflows to 0 is below e^-400 of the sum. False when a position forbids every label or the pairs are
// too far apart.
bool Chain::forward_products(const Scores& scores, double temperature, double& value) {
  if (!edges_.moderate) return false;
  const std::size_t T = scores.length(), K = scores.labels(), S = scores.stride();
  for (Vector* v : {&forward_, &emission_})
    if (v->size() < T * S) v->resize(T * S);

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
  return true;
}

bool Chain::sum_by_products(const Scores& scores, double temperature, double& value, Counts& counts) {
  if (!forward_products(scores, temperature, value)) return false;
  const std::size_t T = scores.length(), K = scores.labels(), S = scores.stride();
  if (backward_.size() < T * S) backward_.resize(T * S);
  counts.node_.resize(T * S);
  counts.edge_.assign(K * S, 0.0);

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

double Chain::sum_by_logarithms(const Scores& scores, double temperature, Counts& counts) {
  const std::size_t T = scores.length(), K = scores.labels(), S = scores.stride();
  counts.node_.assign(T * S, 0.0);
  counts.edge_.assign(K * S, 0.0);
  return logarithms_.sum(
      T, K, S, temperature, [&](std::size_t t) { return scores.node(t); },
      [&](std::size_t) { return scores.edge(0); }, counts.node_.data(),
      [&](std::size_t, const double* pairs) {
        for (std::size_t a = 0; a < K; ++a)
          for (std::size_t b = 0; b < K; ++b) counts.edge_[a * S + b] += pairs[a * S + b];
      });
}

}  // namespace hinge
