// What soft_dual accounts in double precision, whatever its steps are made in: the weights and the bound that belong
// to given potentials, and the objective at weights. With the names of soft_dual.h,
//
//     rebuild   w = w0 + R⁻¹ Σ_i κ_i (g_i − Φ_i μ_i), value_i = τ H(α_i) + ρ <Δ_i, μ_i> − a_i, from θ
//     terms     what D is made of (dual_course.h)
//     primal    Ω(w) + Σ_i κ_i excess_i(w)
//
// Weights stand in the layout that passes over all examples are fastest in (Objective::layout).
#pragma once

#include "hinge/core/aligned_vector.h"
#include "hinge/solvers/dual_wave.h"
#include "hinge/solvers/potentials.h"

namespace hinge {

class ExactDual {
 public:
  explicit ExactDual(Objective& objective);

  const Oracle& oracle() const { return layout_.oracle; }
  const Query& query() const { return query_; }  // of the free side
  bool determined(std::size_t i) const { return determined_[i]; }
  double kappa(std::size_t i) const { return terms_.kappa[i]; }
  // From now on everything but `primal` is of the objective at this share of its C.
  void take_share(double share);
  double offset(std::size_t i) const { return determined_[i] ? 0 : objective_.clamped(i).offset; }  // a_i
  bool widened() const { return !layout_.places.empty(); }

  AlignedVector& w() { return w_; }
  const Vector& shares() const { return share_; }  // 1 / r of each weight; empty: ones
  DualTerms& terms() { return terms_; }

  // Where labels were linearised, which their entropy needs.
  void linearized_at(const Vector& weights) { linearized_at_ = laid_out(weights); }
  // Goes to where given weights see the examples: θ = s at these weights, which at the optimum gives them back.
  void look_from(const Vector& weights, Potentials& state);
  // `keep_counts`: those at θ become state.counts, rounded.
  void rebuild(Potentials& state, bool keep_counts);
  double primal();

  // The label's own distribution becomes `label`; returns τ H + ρ <Δ, μ>, of which 0 is a lower bound where it
  // is determined (and all there is, unless it is a mean of structures).
  template <class Real>
  double at_label(DualBlock<Real>& block, std::span<const Real> w) const;

  // |w|²_R
  double square(std::span<const double> w) const;
  double square(std::span<const float> w) const;
  // Of the objective's own layout.
  template <class Real>
  Vector narrow_weights(std::span<const Real> w) const {
    if (!widened()) return {w.begin(), w.end()};
    Vector weights(layout_.places.size());
    for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = w[layout_.places[j]];
    return weights;
  }
  void keep(Snapshot& snapshot) { snapshot(terms_.value, terms_.doubt, w_, linearized_at_); }

 private:
  Index place_of(std::size_t j) const { return widened() ? layout_.places[j] : static_cast<Index>(j); }
  Vector laid_out(const Vector& weights) const;
  void lay_out();
  void place(Potentials& state, bool keep_counts);
  template <class Real>
  double square_of(std::span<const Real> w) const;

  Objective& objective_;
  Objective::Layout layout_;
  Query query_;
  std::vector<char> determined_;
  DualWave<double> wave_;
  AlignedVector w_, centre_;
  Vector share_, linearized_at_;
  DualTerms terms_;
};

}  // namespace hinge
