// The best lower bound that one dense plane can carry from iterate to iterate.
//
// The tangent at w of everything but the quadratic lies below that everything, and so does every mean of such
// tangents. A plane with value c at the centre w0 and slope a certifies
//
//     objective(u) ≥ min over u of 1/2 |u − w0|²_R + c + <a, u − w0> = c − 1/2 |a|²_{R⁻¹}       for every u.
//
// Each new tangent (c', p) is mixed into the plane with the share that makes this bound highest,
//
//     θ = ((c' − c) − <a, p>_{R⁻¹} + |a|²_{R⁻¹}) / |p − a|²_{R⁻¹},  cut to [0, 1],
//
// which is a step of the Frank-Wolfe method on the dual. Gradients that swing from side to side cancel in the
// mean, so the bound is much better than that of the last gradient alone. It starts from the plane 0.
#pragma once

#include "hinge/solvers/smooth_point.h"

namespace hinge {

class TangentMean {
 public:
  explicit TangentMean(const Run& run) : shares_(run.shares()), regulariser_(run.regulariser()) {}

  // Mixes in the tangent at a point and returns the bound. With L1 or bounds, the tangent is that of the
  // subgradient of least norm.
  double mix(const SmoothPoint& point);
  void keep(Snapshot& snapshot) {
    snapshot(at_centre_);
    shares_.keep(snapshot, slope_);
  }

 private:
  const WeightShares& shares_;
  const Regulariser& regulariser_;
  double at_centre_ = 0;  // c
  Vector slope_;          // a
};

}  // namespace hinge
