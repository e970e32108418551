#include "hinge/inference/guided_chain.h"

#include <algorithm>
#include <cassert>

#include "hinge/inference/path_search.h"

namespace hinge {

void evaluate(const ConstraintTables& shared, const Constraints& features, const Path& path,
              std::span<double> phi) {
  std::size_t k = 0;
  const auto label = [&](std::size_t t) { return static_cast<std::size_t>(path[t]); };
  for (const auto& [t, set, rule] : features.positions) phi[k++] = shared.sets[set][label(t)];
  for (const auto& [t, table, rule] : features.pairs)
    phi[k++] = shared.tables[table](label(t), label(t + 1)) ? 1 : 0;
  for (const auto& [automaton, rule] : features.wholes) {
    const Automaton& reader = shared.automata[automaton];
    std::size_t state = 0;
    for (std::size_t t = 0; t < path.size(); ++t) state = reader.next[state * reader.labels + label(t)];
    phi[k++] = reader.accepts[state];
  }
}

double GuidedScores::of(const Path& path) const {
  Vector phi(features().size());
  evaluate(shared(), features(), path, phi);
  return base.of(path) + of_features(phi);
}

void GuidedCounts::subtract(const Path& path) {
  ChainCounts::subtract(path);
  other_.resize(phi_.size());
  evaluate(scores_->shared(), scores_->features(), path, other_);
  for (std::size_t k = 0; k < phi_.size(); ++k) phi_[k] -= other_[k];
}

void GuidedCounts::scale(double factor) {
  ChainCounts::scale(factor);
  for (double& v : phi_) v *= factor;
}

void GuidedChain::for_each_structure(const Scores& scores, const std::function<void(const Path&)>& f) {
  for_each_path(scores.base.length(), scores.base.labels(), f);
}

bool GuidedChain::may_approximate(const Scores& scores, double, double) {
  const auto& wholes = scores.features().wholes;
  if (wholes.empty()) return false;
  product_.make(scores.shared(), wholes, scores.base.labels());
  return !product_.within(settings.states / scores.base.labels());
}

// Node rows and edge tables with the gains of positions and pairs.
void GuidedChain::prepare(const Scores& scores) {
  scores_ = &scores;
  const ChainScores& base = scores.base;
  const std::size_t T = base.length(), K = base.labels(), S = base.stride();
  const Constraints& features = scores.features();
  const auto gains = scores.gains();
  node_.assign(base.node(0), base.node(0) + T * S);
  std::size_t k = 0;
  for (const auto& [t, set, rule] : features.positions) {
    assert(t < T);
    const LabelFlags& members = scores.shared().sets[set];
    double* row = node_.data() + t * S;
    const double out = scores.required(k) ? kForbidden : 0;
    for (std::size_t y = 0; y < K; ++y) row[y] += members[y] != 0 ? gains[k] : out;
    ++k;
  }

  // Pairs by place.
  pair_first_.assign(T + 1, 0);
  for (const auto& pair : features.pairs) ++pair_first_[pair.position + 1];
  for (std::size_t t = 0; t < T; ++t) pair_first_[t + 1] += pair_first_[t];
  pair_order_.resize(features.pairs.size());
  own_edges_.assign(T, kShared);
  std::size_t tables = 0;
  for (std::size_t t = 0; t + 1 < T; ++t)
    if (pair_first_[t + 1] > pair_first_[t]) own_edges_[t] = K * S * tables++;
  own_.resize(K * S * tables);
  order_.assign(pair_first_.begin(), pair_first_.end());
  for (std::size_t p = 0; p < features.pairs.size(); ++p) {
    const auto& [t, table, rule] = features.pairs[p];
    assert(t + 1 < T);
    double* edges = own_.data() + own_edges_[t];
    if (order_[t] == pair_first_[t]) std::copy_n(base.edge(0), K * S, edges);
    pair_order_[order_[t]++] = static_cast<std::uint32_t>(p);
    const PairTable& allowed = scores.shared().tables[table];
    const double gain = gains[k], out = scores.required(k) ? kForbidden : 0;
    if (gain != 0 || out != 0)
      for (std::size_t a = 0; a < K; ++a)
        for (std::size_t b = 0; b < K; ++b) edges[a * S + b] += allowed(a, b) ? gain : out;
    ++k;
  }
}

// Automata matter to a maximum only where they have a gain or are required.
bool GuidedChain::searches_automata(bool hard) const {
  const Constraints& features = scores_->features();
  if (features.wholes.empty()) return false;
  if (!hard) return true;
  for (std::size_t k = features.size() - features.wholes.size(); k < features.size(); ++k)
    if (scores_->gains()[k] != 0 || scores_->required(k)) return true;
  return false;
}

void GuidedChain::start_counts(bool hard, Counts& counts) {
  const ChainScores& base = scores_->base;
  counts.begin(hard, base.length(), base.labels(), base.stride());
  counts.scores_ = scores_;
  counts.phi_.assign(scores_->features().size(), 0.0);
  if (hard) return;
  counts.node_.assign(base.length() * base.stride(), 0.0);
  counts.edge_.assign(base.labels() * base.stride(), 0.0);
}

double GuidedChain::solve(const Scores& scores, double temperature, double /*latent*/, Counts& counts) {
  answer_ = {};
  const bool hard = temperature == 0;
  const Constraints& features = scores.features();
  if (scores.base.length() == 0) {
    scores_ = &scores;
    start_counts(hard, counts);
    evaluate(scores.shared(), features, {}, counts.phi_);
    return scores.of({});
  }
  prepare(scores);
  start_counts(hard, counts);
  double value;
  if (searches_automata(hard))
    value = search(temperature, counts);
  else
    value = hard ? maximise(counts.path_) : sum(temperature, counts);
  if (hard)
    evaluate(scores.shared(), features, counts.path_, counts.phi_);
  else
    count_positions(counts);
  return value;
}

double GuidedChain::maximise(Path& path) {
  const std::size_t T = scores_->base.length(), K = scores_->base.labels(), S = scores_->base.stride();
  forward_.resize(std::max(forward_.size(), T * S));
  std::copy_n(node_.data(), S, forward_.data());
  for (std::size_t t = 1; t < T; ++t) {
    double* row = forward_.data() + t * S;
    kernels::max_plus(row, row - S, edges(t - 1), K, S);
    const double* node = node_.data() + t * S;
    for (std::size_t b = 0; b < K; ++b) row[b] += node[b];
  }
  const double* row = forward_.data() + (T - 1) * S;
  std::size_t label = arg_max({row, K});
  const double value = row[label];
  path[T - 1] = static_cast<int>(label);
  for (std::size_t t = T - 1; t > 0; --t) {
    row -= S;
    const double* table = edges(t - 1);
    std::size_t best = 0;
    double top = kForbidden;
    for (std::size_t a = 0; a < K; ++a) {
      const double candidate = row[a] + table[a * S + label];
      if (candidate > top) top = candidate, best = a;
    }
    label = best;
    path[t - 1] = static_cast<int>(label);
  }
  return value;
}

double GuidedChain::sum(double temperature, Counts& counts) {
  double value;
  if (sum_by_products(temperature, value, counts)) return value;
  std::ranges::fill(counts.node_, 0.0);
  std::ranges::fill(counts.edge_, 0.0);
  std::ranges::fill(counts.phi_, 0.0);
  return sum_by_logarithms(temperature, counts);
}

// As Chain::sum_by_products, with edges of each place: rows are scaled to sum 1, and edges are within e^300
// of each other, so that what underflows is below e^-400 of the sum. False where they are not.
bool GuidedChain::sum_by_products(double temperature, double& value, Counts& counts) {
  const std::size_t T = scores_->base.length(), K = scores_->base.labels(), S = scores_->base.stride();
  for (Vector* v : {&forward_, &backward_, &emission_})
    if (v->size() < T * S) v->resize(T * S);
  // exponential_: of the shared edges, then of own ones
  exponential_.resize(K * S + own_.size());
  shift_.resize(1 + own_.size() / (K * S));
  for (std::size_t table = 0; table < shift_.size(); ++table) {
    const double* scores = table == 0 ? scores_->base.edge(0) : own_.data() + (table - 1) * K * S;
    double low = -kForbidden, high = kForbidden;
    for (std::size_t a = 0; a < K; ++a)
      for (std::size_t b = 0; b < K; ++b) {
        low = std::min(low, scores[a * S + b]);
        high = std::max(high, scores[a * S + b]);
      }
    if (!((high - low) / temperature <= 300)) return false;
    shift_[table] = high;
    kernels::exponential(exponential_.data() + table * K * S, scores, K * S, high, 1 / temperature);
  }
  const auto table_at = [&](std::size_t t) {
    return own_edges_[t] == kShared ? 0 : 1 + own_edges_[t] / (K * S);
  };
  const auto exponentials = [&](std::size_t t) { return exponential_.data() + table_at(t) * K * S; };

  double logarithm = 0;
  value = 0;
  for (std::size_t t = 0; t < T; ++t) {
    double* alpha = forward_.data() + t * S;
    double* e = emission_.data() + t * S;
    const double top = kernels::maximum(node_.data() + t * S, K);
    if (top == kForbidden) return false;
    kernels::exponential(e, node_.data() + t * S, S, top, 1 / temperature);
    if (t > 0) {
      kernels::multiply(alpha, alpha - S, exponentials(t - 1), K, S);
      for (std::size_t k = 0; k < K; ++k) alpha[k] *= e[k];
      value += shift_[table_at(t - 1)];
    } else {
      std::copy_n(e, K, alpha);
    }
    double sum = 0;
    for (std::size_t k = 0; k < K; ++k) sum += alpha[k];
    if (!(sum > 0)) return false;
    for (std::size_t k = 0; k < K; ++k) alpha[k] /= sum, e[k] /= sum;
    for (std::size_t k = K; k < S; ++k) alpha[k] = e[k] = 0;
    logarithm += std::log(sum) + top / temperature;
  }
  value += temperature * logarithm;

  // backward[t] holds emission[t] ∘ beta[t], so that forward[t-1] ⊗ backward[t] counts the pairs.
  std::copy_n(forward_.data() + (T - 1) * S, S, counts.node_.data() + (T - 1) * S);
  std::copy_n(emission_.data() + (T - 1) * S, S, backward_.data() + (T - 1) * S);
  pair_.resize(K * S);
  for (std::size_t t = T - 1; t-- > 0;) {
    const double *alpha = forward_.data() + t * S, *after = backward_.data() + (t + 1) * S;
    const double* table = exponentials(t);
    double *beta = backward_.data() + t * S, *marginal = counts.node_.data() + t * S;
    for (std::size_t a = 0; a < K; ++a) {
      double sum = 0;
      for (std::size_t b = 0; b < K; ++b) {
        const double term = table[a * S + b] * after[b];
        sum += term;
        pair_[a * S + b] = alpha[a] * term;
      }
      marginal[a] = alpha[a] * sum;
      beta[a] = sum * emission_[t * S + a];
    }
    for (std::size_t a = K; a < S; ++a) beta[a] = 0;
    count_pairs(t, pair_.data(), counts);
  }
  return true;
}

double GuidedChain::sum_by_logarithms(double temperature, Counts& counts) {
  const std::size_t T = scores_->base.length(), K = scores_->base.labels(), S = scores_->base.stride();
  return logarithms_.sum(
      T, K, S, temperature, [&](std::size_t t) { return node_.data() + t * S; },
      [&](std::size_t t) { return edges(t); }, counts.node_.data(),
      [&](std::size_t t, const double* pairs) { count_pairs(t, pairs, counts); });
}

void GuidedChain::count_pairs(std::size_t t, const double* pairs, Counts& counts) {
  const std::size_t K = scores_->base.labels(), S = scores_->base.stride();
  const Constraints& features = scores_->features();
  for (std::size_t a = 0; a < K; ++a)
    for (std::size_t b = 0; b < K; ++b) counts.edge_[a * S + b] += pairs[a * S + b];
  for (std::size_t place = pair_first_[t]; place < pair_first_[t + 1]; ++place) {
    const std::size_t p = pair_order_[place];
    const PairTable& allowed = scores_->shared().tables[features.pairs[p].table];
    double& phi = counts.phi_[features.positions.size() + p];
    for (std::size_t a = 0; a < K; ++a)
      for (std::size_t b = 0; b < K; ++b)
        if (allowed(a, b)) phi += pairs[a * S + b];
  }
}

void GuidedChain::count_positions(Counts& counts) {
  const Constraints& features = scores_->features();
  for (std::size_t k = 0; k < features.positions.size(); ++k) {
    const auto& [t, set, rule] = features.positions[k];
    const LabelFlags& members = scores_->shared().sets[set];
    for (std::size_t y = 0; y < members.size(); ++y)
      if (members[y] != 0) counts.phi_[k] += counts.node(t)[y];
  }
}

}  // namespace hinge
