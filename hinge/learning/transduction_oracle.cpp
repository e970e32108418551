#include "hinge/learning/transduction_oracle.h"

#include <algorithm>
#include <cassert>

#include "hinge/core/sum.h"

namespace hinge {

TransductionOracle::TransductionOracle(const Oracle* labelled, const Unlabelled& unlabelled, Gamma gamma,
                                       const TransductionWeights& weights)
    : labelled_(labelled),
      unlabelled_(unlabelled),
      gamma_(std::move(gamma)),
      constants_(weights),
      n_(labelled == nullptr ? 0 : labelled->size()),
      m_(unlabelled.size()) {
  assert(labelled == nullptr || labelled->dimension() == unlabelled.dimension());
  assert(weights.C2 > 0 && weights.mu > 0);
  first_.push_back(unlabelled.dimension());
  for (std::size_t j = 0; j < m_; ++j)
    first_.push_back(first_.back() + static_cast<Index>(unlabelled.features(j).size()));
}

// An Objective divides by the number of all examples.
double TransductionOracle::weight(std::size_t i) const {
  const auto all = static_cast<double>(size());
  if (i < n_) return all * constants_.C1 / static_cast<double>(n_) * labelled_->weight(i);
  return all * constants_.C2 / (i < n_ + m_ ? static_cast<double>(m_) : 1);
}

double TransductionOracle::work(std::size_t i) const {
  if (i < n_) return labelled_->work(i);
  return i < n_ + m_ ? unlabelled_.work(i - n_) : 4;
}

bool TransductionOracle::determined(std::size_t i) const {
  return i < n_ ? labelled_->determined(i) : i >= n_ + m_;
}

std::string TransductionOracle::refusal(const Query& query) const {
  if (query.rescaling == Rescaling::slack)
    return "slack rescaling needs labels, which unlabelled examples have not: use margin rescaling.";
  return labelled_ == nullptr ? "" : labelled_->refusal(query);
}

InferenceReport TransductionOracle::inference() const {
  InferenceReport report = unlabelled_.inference();
  if (labelled_ != nullptr) report += labelled_->inference();
  return report;
}

bool TransductionOracle::may_approximate(std::size_t i, const Query& query) const {
  if (i < n_) return labelled_->may_approximate(i, query);
  return i < n_ + m_ && unlabelled_.may_approximate(i - n_, query.output_temperature);
}

Regulariser TransductionOracle::regulariser() const {
  Regulariser omega;
  omega.curvature.assign(dimension(), constants_.C2 * constants_.mu / static_cast<double>(m_));
  std::fill_n(omega.curvature.begin(), first_[0], 1.0);
  return omega;
}

Vector TransductionOracle::with_v(Weights w, double v) const {
  Vector all(dimension(), v);
  std::ranges::copy(w, all.begin());
  return all;
}

void TransductionOracle::gains(std::size_t j, Weights all, double sign, double constants,
                               std::span<double> out) const {
  for (std::size_t k = 0; k < out.size(); ++k)
    out[k] = sign * constants_.mu * (0.25 * constants - 0.5 * all[first_[j] + k]);
}

double TransductionOracle::guided(std::size_t j, Weights all, double sign, const Query& query,
                                  double temperature, Plane& out) const {
  static thread_local Vector gain, phi;
  const double mu = constants_.mu;
  gain.resize(unlabelled_.features(j).size());
  phi.resize(gain.size());
  gains(j, all, sign, query.loss_weight, gain);
  const double value = unlabelled_.guided(j, all.first(first_[0]), gain, temperature, out.slope, phi);
  double held = 0;
  for (std::size_t k = 0; k < phi.size(); ++k) {
    held += phi[k];
    if (phi[k] != 0) out.slope.add(first_[j] + static_cast<Index>(k), -sign * 0.5 * mu * phi[k]);
  }
  out.offset = temperature == 0 ? sign * 0.25 * mu * query.loss_weight * held : value - out.slope.dot(all);
  return value;
}

void TransductionOracle::support(std::size_t i, Weights w, const Query& query, Plane& out) const {
  if (i < n_) {
    Query own = query;
    own.loss_weight *= constants_.labelled_loss;
    labelled_->support(i, w.first(first_[0]), own, out);
  } else if (i < n_ + m_) {
    const bool free = query.side == Side::free;
    assert(query.side != Side::excess);
    guided(i - n_, w, free ? 1 : -1, query, free ? query.output_temperature : query.latent_temperature, out);
  } else if (query.side == Side::clamped) {
    out.clear();
  } else {
    gamma_.touch(i - n_ - m_, v(w), query.loss_weight, first_[0], out);
  }
}

TransductionOracle::Terms TransductionOracle::terms(Weights w, double temperature, Executor& executor) const {
  Terms terms;
  const auto m = static_cast<double>(m_);
  terms.regulariser = 0.5 * squared_norm(w.first(first_[0]));
  terms.v_norm = constants_.C2 * constants_.mu / (2 * m) * squared_norm(v(w));
  terms.gamma = constants_.C2 * gamma_.value(v(w));
  Vector upper(n_ + m_), lower(m_);
  executor.run(n_ + m_, [&](std::size_t i) {
    static thread_local Plane plane;
    const auto ask = [&](Side side) {
      support(i, w, {side, 1, temperature, temperature}, plane);
      return plane.at(w);
    };
    if (i < n_) {
      upper[i] =
          labelled_->weight(i) * (determined(i) ? ask(Side::excess) : ask(Side::free) - ask(Side::clamped));
    } else {
      upper[i] = ask(Side::free);
      lower[i - n_] = ask(Side::clamped);
    }
  });
  if (n_ > 0) terms.labelled = constants_.C1 / static_cast<double>(n_) * tree_sum(std::span(upper).first(n_));
  terms.eq14 = constants_.C2 / m * tree_sum(std::span(upper).subspan(n_));
  terms.eq15 = -constants_.C2 / m * tree_sum(lower);
  return terms;
}

TransductionOracle::Bound TransductionOracle::bound(Weights w, Executor& executor) const {
  Bound result;
  const double mu = constants_.mu;
  const auto m = static_cast<double>(m_);
  const std::size_t rules = unlabelled_.knowledge().rules.size();
  result.broken.assign(rules, 0);
  result.features.assign(rules, 0);
  Vector phi(dimension() - first_[0]), bounds(m_), distances(m_);
  executor.run(m_, [&](std::size_t j) {
    static thread_local Plane plane;
    static thread_local Vector zero;
    const Weights own = w.subspan(first_[j], first_[j + 1] - first_[j]);
    for (const Side side : {Side::free, Side::clamped}) {
      support(n_ + j, w, {side, 1, 0, 0}, plane);
      bounds[j] += (side == Side::free ? 1 : -1) * plane.at(w);
    }
    bounds[j] += 0.5 * mu * squared_norm(own);
    zero.assign(own.size(), 0.0);
    const std::span<double> held(phi.data() + (first_[j] - first_[0]), own.size());
    unlabelled_.guided(j, w.first(first_[0]), zero, 0, plane.slope, held);
    for (std::size_t k = 0; k < own.size(); ++k) distances[j] += (held[k] - own[k]) * (held[k] - own[k]);
  });
  for (std::size_t j = 0; j < m_; ++j) {
    const double* held = phi.data() + (first_[j] - first_[0]);
    for_each_feature(unlabelled_.features(j), [&](std::size_t k, std::size_t rule) {
      ++result.features[rule];
      result.broken[rule] += held[k] == 0;
    });
  }
  result.A = tree_sum(bounds) / m;
  result.B = gamma_.value(v(w));
  result.L = gamma_.lipschitz();
  result.bound = 2 * result.L * std::sqrt(m * std::max(0.0, result.A) / mu) + result.B;
  result.gamma_of_predictions = gamma_.value(phi);
  result.distance = 0.25 * mu * tree_sum(distances) / m;
  return result;
}

}  // namespace hinge
