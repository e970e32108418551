// The parts of examples as rows of numbers: what a solver in the dual of soft methods needs of a task. With
// one temperature τ for outputs and hidden parts, and Φ_i the features of the parts of example i,
//
//     look      s = Φ_iᵀ w + ρ Δ_i          a score for each part
//     solve     T_τ over structures of <θ, parts>, and its gradient: the expected counts μ
//     pour      w += share · factor · Φ_i μ
//
// for any scores θ of the parts. One thread uses it, for one example at a time: the one it looked at last.
// Where a part is forbidden its score is kOut, a number so low that no structure with that part counts.
//
// Every task of parts has them in double precision (Parts). Some have the same rows, with weights, scores and counts
// in single precision (SingleParts), for steps that another look in double will judge.
#pragma once

#include <cmath>
#include <span>

#include "hinge/core/soft_value.h"
#include "hinge/core/vector.h"
#include "hinge/core/workspace.h"

namespace hinge {

template <class Real>
class PartsOf {
 public:
  static constexpr Real kOut = Real(-1e30);

  virtual ~PartsOf() = default;

  // Turns to an example. The scores are valid until the next look.
  virtual std::span<const Real> look(std::size_t example, std::span<const Real> w) = 0;
  // The same where scores are not needed, only their number: what follows may be `solve` and `place`.
  virtual std::size_t turn(std::size_t example, std::span<const Real> w) { return look(example, w).size(); }
  // As many counts as scores.
  virtual SoftValue solve(std::span<const Real> theta, std::span<Real> counts) = 0;
  // ρ <Δ_i, counts>
  virtual double loss(std::span<const Real> counts) const = 0;
  // The distribution over what the label admits at w: that of clamped, whose value it returns. The counts of
  // the one structure where the label is determined.
  virtual double clamped(std::span<const Real> w, std::span<Real> counts) = 0;
  // Null shares are ones. Returns Σ v (2 w_j + share_j v) over what is added, v = factor · feature: by how
  // much Σ_j w_j² / share_j grows.
  virtual double pour(std::span<const Real> counts, double factor, std::span<Real> w, const Real* share) = 0;

  // Pours the counts of a determined label less those of the last solve.
  virtual void place(std::span<const Real> counts, double factor, std::span<Real> w, const Real* share) {
    std::vector<Real>& rest = scratch<std::vector<Real>, struct PartsPlaced>();
    rest.resize(counts.size());
    clamped(w, rest);
    for (std::size_t p = 0; p < counts.size(); ++p) rest[p] -= counts[p];
    pour(rest, factor, w, share);
  }
  // free − clamped at w, of a determined label.
  virtual double excess(std::size_t example, std::span<const Real> w) {
    std::vector<Real>& counts = scratch<std::vector<Real>, struct PartsExcess>();
    const std::span<const Real> s = look(example, w);
    counts.resize(s.size());
    const double free = solve(s, counts).value;
    return free - clamped(w, counts);
  }
  // Where an example that was looked at and stands at its label should go first: θ becomes its scores, and with them
  // what its own share of w, factor · Φ (label − counts), will add to them, as far as parts that are alone tell. Returns
  // about how far free is above clamped; NaN where it knows no such place.
  virtual double first(double /*factor*/, const Real* /*share*/, std::span<Real> /*theta*/) { return NAN; }
};

using Parts = PartsOf<double>;
using SingleParts = PartsOf<float>;

}  // namespace hinge
