#include "hinge/learning/transduction_oracle.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "hinge/core/sum.h"
#include "hinge/core/workspace.h"

namespace hinge {

TransductionOracle::TransductionOracle(const Oracle* labelled, const Unlabelled& unlabelled, Gamma gamma,
                                       const TransductionWeights& weights, Settle settle)
    : labelled_(labelled),
      unlabelled_(unlabelled),
      gamma_(std::move(gamma)),
      constants_(weights),
      n_(labelled == nullptr ? 0 : labelled->size()),
      m_(unlabelled.size()),
      width_(unlabelled.dimension()) {
  assert(labelled == nullptr || labelled->dimension() == unlabelled.dimension());
  assert(weights.C2 > 0 && weights.mu > 0);
  first_.push_back(0);
  for (std::size_t j = 0; j < m_; ++j)
    first_.push_back(first_.back() + static_cast<Index>(unlabelled.features(j).size()));
  place_.resize(first_.back());
  settled_.resize(first_.back());
  settled_norm_.resize(m_);
  open_gamma_ = gamma_;
  if (settle == Settle::yes) this->settle();
  for (Index& place : place_)
    if (place != kSettled) place = width_ + open_++;
}

void TransductionOracle::settle() {
  std::vector<char> terms(place_.size());  // how many speak of each, 2 for several
  const auto count = [&](Index k) { terms[k] = static_cast<char>(std::min(2, terms[k] + 1)); };
  for (const Gamma::Coordinate& c : gamma_.coordinates) count(c.place);
  for (const Gamma::Hinge& hinge : gamma_.hinges)
    for (const Index k : hinge.a.indices()) count(k);
  for (const Gamma::Mean& mean : gamma_.means)
    for (const Index k : mean.places) count(k);
  const double mu = constants_.mu, m = static_cast<double>(m_);
  for (const auto& [k, weight, target] : gamma_.coordinates) {
    if (terms[k] > 1 || m * weight < mu * std::max(std::abs(target), std::abs(target - 1))) continue;
    place_[k] = kSettled;
    settled_[k] = target;
  }
  std::vector<Index> open(place_.size());
  for (Index k = 0, next = 0; k < place_.size(); ++k) open[k] = place_[k] == kSettled ? 0 : next++;
  std::erase_if(open_gamma_.coordinates, [&](const auto& c) { return place_[c.place] == kSettled; });
  for (Gamma::Coordinate& c : open_gamma_.coordinates) c.place = open[c.place];
  for (Gamma::Hinge& hinge : open_gamma_.hinges) {
    SparseVector renumbered;
    for (std::size_t k = 0; k < hinge.a.size(); ++k)
      renumbered.add(open[hinge.a.indices()[k]], hinge.a.values()[k]);
    hinge.a = std::move(renumbered);
  }
  for (Gamma::Mean& mean : open_gamma_.means)
    for (Index& k : mean.places) k = open[k];
  for (std::size_t j = 0; j < m_; ++j)
    for (Index k = first_[j]; k < first_[j + 1]; ++k)
      settled_norm_[j] += 0.5 * mu * settled_[k] * settled_[k];
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
  std::fill_n(omega.curvature.begin(), width_, 1.0);
  return omega;
}

Vector TransductionOracle::v(Weights all) const {
  Vector v(place_.size());
  for (Index k = 0; k < v.size(); ++k) v[k] = v_at(k, all, 1);
  return v;
}

Vector TransductionOracle::join(Weights w, Weights v) const {
  Vector all(dimension(), 1.0);
  std::ranges::copy(w, all.begin());
  for (Index k = 0; k < v.size(); ++k)
    if (place_[k] != kSettled) all[place_[k]] = v[k];
  return all;
}

void TransductionOracle::gains(std::size_t j, Weights all, double sign, double constants,
                               std::span<double> out) const {
  for (Index k = 0; k < out.size(); ++k)
    out[k] = sign * constants_.mu * (0.25 * constants - 0.5 * v_at(first_[j] + k, all, constants));
}

double TransductionOracle::guided(std::size_t j, Weights all, double sign, const Query& query,
                                  double temperature, Plane& out) const {
  Vector& gain = scratch<Vector, struct TransductionOracleGain>();
  Vector& phi = scratch<Vector, struct TransductionOraclePhi>();
  const double mu = constants_.mu;
  gain.resize(unlabelled_.features(j).size());
  phi.resize(gain.size());
  gains(j, all, sign, query.loss_weight, gain);
  const double value = unlabelled_.guided(j, all.first(width_), gain, temperature, out.slope, phi);
  double constant = 0;  // of the plane, where maxima are hard
  for (Index k = 0; k < phi.size(); ++k) {
    if (phi[k] == 0) continue;
    const Index coordinate = first_[j] + k;
    constant += phi[k] * (0.25 - 0.5 * settled_[coordinate]);
    if (place_[coordinate] != kSettled) out.slope.add(place_[coordinate], -sign * 0.5 * mu * phi[k]);
  }
  out.offset = temperature == 0 ? sign * mu * query.loss_weight * constant : value - out.slope.dot(all);
  return value;
}

void TransductionOracle::support(std::size_t i, Weights w, const Query& query, Plane& out) const {
  if (i < n_) {
    Query own = query;
    own.loss_weight *= constants_.labelled_loss;
    labelled_->support(i, w.first(width_), own, out);
  } else if (i < n_ + m_) {
    const bool free = query.side == Side::free;
    assert(query.side != Side::excess);
    guided(i - n_, w, free ? 1 : -1, query, free ? query.output_temperature : query.latent_temperature, out);
    if (free) out.offset += query.loss_weight * settled_norm_[i - n_];
  } else if (query.side == Side::clamped) {
    out.clear();
  } else {
    open_gamma_.touch(i - n_ - m_, w.subspan(width_), query.loss_weight, width_, out);
  }
}

TransductionOracle::Terms TransductionOracle::terms(Weights w, double temperature, Executor& executor) const {
  Terms terms;
  const auto m = static_cast<double>(m_);
  const Vector all_v = v(w);
  terms.regulariser = 0.5 * squared_norm(w.first(width_));
  terms.v_norm = constants_.C2 * constants_.mu / (2 * m) * squared_norm(all_v);
  terms.gamma = constants_.C2 * gamma_.value(all_v);
  Vector upper(n_ + m_), lower(m_);
  executor.run(n_ + m_, [&](std::size_t i) {
    Plane& plane = scratch<Plane, struct TransductionOraclePlane>();
    const auto ask = [&](Side side) {
      support(i, w, {side, 1, temperature, temperature}, plane);
      return plane.at(w);
    };
    if (i < n_) {
      upper[i] =
          labelled_->weight(i) * (determined(i) ? ask(Side::excess) : ask(Side::free) - ask(Side::clamped));
    } else {
      upper[i] = ask(Side::free) - settled_norm_[i - n_];
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
  const Vector all_v = v(w);
  Vector phi(all_v.size()), bounds(m_), distances(m_);
  executor.run(m_, [&](std::size_t j) {
    Plane& plane = scratch<Plane, struct TransductionOraclePlane>();
    Vector& zero = scratch<Vector, struct TransductionOracleZero>();
    const Weights own = Weights(all_v).subspan(first_[j], first_[j + 1] - first_[j]);
    for (const Side side : {Side::free, Side::clamped}) {
      support(n_ + j, w, {side, 1, 0, 0}, plane);
      bounds[j] += (side == Side::free ? 1 : -1) * plane.at(w);
    }
    bounds[j] += 0.5 * mu * squared_norm(own) - settled_norm_[j];
    zero.assign(own.size(), 0.0);
    const std::span<double> held(phi.data() + first_[j], own.size());
    unlabelled_.guided(j, w.first(width_), zero, 0, plane.slope, held);
    for (std::size_t k = 0; k < own.size(); ++k) distances[j] += (held[k] - own[k]) * (held[k] - own[k]);
  });
  for (std::size_t j = 0; j < m_; ++j) {
    const double* held = phi.data() + first_[j];
    for_each_feature(unlabelled_.features(j), [&](std::size_t k, std::size_t rule) {
      ++result.features[rule];
      result.broken[rule] += held[k] == 0;
    });
  }
  result.A = tree_sum(bounds) / m;
  result.B = gamma_.value(all_v);
  result.L = gamma_.lipschitz();
  result.bound = 2 * result.L * std::sqrt(m * std::max(0.0, result.A) / mu) + result.B;
  result.gamma_of_predictions = gamma_.value(phi);
  result.distance = 0.25 * mu * tree_sum(distances) / m;
  return result;
}

}  // namespace hinge
