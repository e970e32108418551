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

#include <span>

#include "hinge/core/soft_value.h"
#include "hinge/core/vector.h"

namespace hinge {

template <class Real>
class PartsOf {
 public:
  static constexpr Real kOut = Real(-1e30);

  virtual ~PartsOf() = default;

  // Turns to an example. The scores are valid until the next look.
  virtual std::span<const Real> look(std::size_t example, std::span<const Real> w) = 0;
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
};

using Parts = PartsOf<double>;
using SingleParts = PartsOf<float>;

}  // namespace hinge
