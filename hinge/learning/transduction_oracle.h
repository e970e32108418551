// Transduction (Yu 2012, eq. 13) as an oracle over the longer weights (w, v): v_j is a vector for each unlabelled
// example j that stands for the features φ_j of its labelling,
//
//     1/2 |w|² + C1/n Σ_i excess_i(w) + C2 Γ(v) + C2 μ/(2m) Σ_j |v_j|² + C2/m Σ_j [free_j − clamped_j](w, v_j),
//
//     free_j    = T_τ over y of <w, Φ(x_j, y)> − μ/2 <v_j, φ_j(y)> + μ/4 |φ_j(y)|²        eq. 14
//     clamped_j = T_τ over y of <w, Φ(x_j, y)> + μ/2 <v_j, φ_j(y)> − μ/4 |φ_j(y)|²        eq. 15: guided inference
//
// with n labelled examples, then the m unlabelled ones, then the terms of Γ as examples. Features are 0 or 1, so
// that |φ|² is their sum. All that is constant in (w, v) is multiplied by the query's loss weight, so that the
// functions scale as those of any task do. With C = 1 and `regulariser()` an Objective over it is eq. 13.
//
// A coordinate v_jk that only one term weight |v_jk − target| speaks of is settled where it cannot pay to leave
// the target: all other slopes at the target add up to C2 μ/m (target − [0, 1]), so that
//
//     m weight ≥ μ max(|target|, |target − 1|)   makes   v_jk = target
//
// at every optimum, at any temperature. With `settle` such coordinates are constants, not weights, and their terms
// no examples: usually all of them.
#pragma once

#include "hinge/learning/gamma.h"
#include "hinge/learning/regulariser.h"
#include "hinge/oracle/unlabelled.h"

namespace hinge {

struct TransductionWeights {
  double C1 = 1, C2 = 1, mu = 1;
  double labelled_loss = 1;  // ρ of the labelled examples: 0 is a likelihood
};

enum class Settle { no, yes };

class TransductionOracle final : public Oracle {
 public:
  // `labelled` may be null: labels as constraints. None is owned but Γ.
  TransductionOracle(const Oracle* labelled, const Unlabelled& unlabelled, Gamma gamma,
                     const TransductionWeights& weights, Settle settle = Settle::no);

  Index dimension() const override { return width_ + open_; }
  std::size_t size() const override { return n_ + m_ + open_gamma_.size(); }
  double weight(std::size_t i) const override;
  double work(std::size_t i) const override;
  bool determined(std::size_t i) const override;
  bool may_be_negative(std::size_t i) const override { return i >= n_ && i < n_ + m_; }
  bool smooth() const override { return open_gamma_.size() == 0; }
  std::string refusal(const Query& query) const override;
  InferenceReport inference() const override;
  bool may_approximate(std::size_t i, const Query& query) const override;
  void support(std::size_t i, Weights w, const Query& query, Plane& out) const override;

  Regulariser regulariser() const;
  // Where v_j begins in v; the last one is the end.
  std::span<const Index> first() const { return first_; }
  const Gamma& gamma() const { return gamma_; }
  std::size_t labelled() const { return n_; }
  std::size_t unlabelled() const { return m_; }
  // All of v, settled coordinates too.
  Vector v(Weights all) const;
  // (w, v) as weights: `v` of its full length, or empty: every v_jk is 1.
  Vector join(Weights w, Weights v = {}) const;

  // The summands of the objective with their constants and signs, at a temperature.
  struct Terms {
    double regulariser = 0, labelled = 0, gamma = 0, v_norm = 0, eq14 = 0, eq15 = 0;
    double sum() const { return regulariser + labelled + gamma + v_norm + eq14 + eq15; }
  };
  Terms terms(Weights w, double temperature, Executor& executor) const;

  // Lemma 2: Γ of the predictions y_j = arg max <w, Φ(x_j, y)> is at most 2 L √(m A / μ) + B.
  struct Bound {
    double A = 0, B = 0, L = 0, bound = 0;
    double gamma_of_predictions = 0;
    double distance = 0;              // 1/m Σ_j μ/4 |φ_j(y_j) − v_j|²
    std::vector<std::size_t> broken;  // of each rule: features that the predictions lack
    std::vector<std::size_t> features;
  };
  Bound bound(Weights w, Executor& executor) const;

 private:
  void settle();
  double v_at(Index k, Weights all, double constants) const {
    return place_[k] == kSettled ? constants * settled_[k] : all[place_[k]];
  }
  // μ/4 − μ/2 v_j, times `sign`, with constants multiplied by `constants`.
  void gains(std::size_t j, Weights all, double sign, double constants, std::span<double> out) const;
  double guided(std::size_t j, Weights all, double sign, const Query& query, double temperature,
                Plane& out) const;

  static constexpr Index kSettled = static_cast<Index>(-1);
  const Oracle* labelled_;
  const Unlabelled& unlabelled_;
  Gamma gamma_, open_gamma_;  // open: of the coordinates that are weights, numbered from 0 on
  TransductionWeights constants_;
  std::size_t n_, m_;
  Index width_, open_ = 0;  // how many weights are w, and how many v
  std::vector<Index> first_;
  std::vector<Index> place_;  // of each coordinate of v: its weight, or kSettled
  Vector settled_;            // where it is settled
  Vector settled_norm_;       // of each v_j: μ/2 |its settled coordinates|²
};

}  // namespace hinge
