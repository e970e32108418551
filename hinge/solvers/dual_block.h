// One example of soft_dual while it is visited: the room for its numbers, and the parts of a visit that read
// w but do not move it, so that several examples can be solved at one w at the same time.
//
//     look      s at w
//     attempt   θ' = θ + η (s − θ), the counts μ' there, and what the move is worth
//     welcome   the first θ' of an example that stands at its label
//
// In double or single precision (Real); θ is always a number of single precision.
#pragma once

#include <memory>

#include "hinge/core/product_planes.h"
#include "hinge/core/vector.h"
#include "hinge/oracle/parts.h"
#include "hinge/solvers/dual_course.h"
#include "hinge/solvers/potential_row.h"

namespace hinge {

template <class Real>
struct DualBlock {
  using Row = std::vector<Real>;

  std::size_t example = 0;
  std::unique_ptr<PartsOf<Real>> parts;  // those of the example, since `look`
  std::span<const Real> s;
  Row theta, counts;        // where the example stands
  Row trial, trial_counts;  // where it goes
  bool shortens = false;    // the trial is kept in two bytes a part,
  PotentialRow shortened;   // as this
  Row label;                // counts of the label, where somebody asked for them
  ProductPlanes planes;     // all of them, where the oracle lists them
  Vector curvature;         // where parts are apart, else empty
  Row difference;           // the counts that w has of it, less those of the trial

  // Of the last attempt.
  double step = 0;                 // η
  double value = 0;                // τ H + ρ <Δ, μ'>
  double magnitude = 0;            // of the numbers that it was made from
  double ahead = 0, behind = 0;    // <s, μ' − μ> and <θ, μ' − μ>
  double loss = 0, loss_from = 0;  // ρ <Δ, μ'> and ρ <Δ, μ>
  double growth = 0;               // of |w|² since the visit began
  double gap = 0;                  // exact, where it was computed; else NaN

  std::size_t size() const { return s.size(); }
  double doubt(double temperature) const { return doubt_of(magnitude, temperature); }
  void look(std::size_t i, std::span<const Real> w);
  std::size_t turn(std::size_t i, std::span<const Real> w);  // without scores: for `solve` alone
  // Returns τ H + ρ <Δ, μ> of the distribution that θ stands for, and its counts.
  double solve(const Row& at, Row& out);
  // Of the trial, as it will be kept.
  void solve_trial();

  // From θ by the step η; or where parts are apart (`curvature` has κ times their norms; only in double) to the
  // example's optimum.
  void attempt(double temperature);
  // From the label, after `counts` were found at s (in theta) and κ Φ (label − counts) moved w: what that did to
  // the scores says what the example's own share of w will add to them.
  void welcome(double temperature);
  // Compares the trial's counts, as they are kept, with where the example and w (at `placed`) stand.
  void measure(const Row& placed);
};

extern template struct DualBlock<double>;
extern template struct DualBlock<float>;

// max |a − b|
double farthest(std::span<const double> a, std::span<const double> b);
double farthest(std::span<const float> a, std::span<const float> b);
// <a, b>, in double
double product(std::span<const double> a, std::span<const double> b);
double product(std::span<const float> a, std::span<const float> b);

// In single precision and back.
void narrow(std::span<const double> from, std::vector<float>& out);
void narrow(std::span<const float> from, std::vector<float>& out);
void widen(std::span<const float> from, std::vector<double>& out);
void widen(std::span<const float> from, std::vector<float>& out);
// Where `label` is there it is the difference to it that is rounded: near a label that is much more exact.
void narrow_counts(Vector& counts, const Vector* label,
                   std::vector<float>& out);  // counts become what is kept
void widen_counts(std::span<const float> from, const Vector* label, Vector& out);

}  // namespace hinge
