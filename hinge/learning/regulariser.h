// The quadratic that keeps weights near a centre, with its own curvature for each weight:
//
//     Ω(w) = 1/2 Σ_j r_j (w_j − w0_j)²  +  λ1 Σ_j |w_j|
//
// Empty vectors mean r_j = 1 and w0_j = 0. The L1 term is served by lbfgs alone (OWL-QN).
#pragma once

#include <cmath>

#include "hinge/core/vector.h"

namespace hinge {

struct Regulariser {
  Vector curvature;  // r
  Vector centre;     // w0
  double l1 = 0;     // λ1

  double curvature_at(std::size_t j) const { return curvature.empty() ? 1 : curvature[j]; }
  double centre_at(std::size_t j) const { return centre.empty() ? 0 : centre[j]; }
  bool plain() const { return curvature.empty() && centre.empty(); }

  double quadratic(Weights w) const {
    if (plain()) return 0.5 * squared_norm(w);
    double sum = 0;
    for (std::size_t j = 0; j < w.size(); ++j) {
      const double d = w[j] - centre_at(j);
      sum += curvature_at(j) * d * d;
    }
    return 0.5 * sum;
  }
  double value(Weights w) const {
    double absolute = 0;
    if (l1 > 0)
      for (double v : w) absolute += std::abs(v);
    return quadratic(w) + l1 * absolute;
  }
  // min over u of Ω(u) + <slope, u>. Where <slope, ·> + offset is a plane below the rest of an objective,
  // this plus the offset is a lower bound on its minimum. Each weight is found alone, by soft thresholding.
  double minimum_with(Weights slope) const {
    double sum = 0;
    for (std::size_t j = 0; j < slope.size(); ++j) {
      const double r = curvature_at(j), d = shrink(centre_at(j) - slope[j] / r, l1 / r) - centre_at(j);
      sum += 0.5 * r * d * d + l1 * std::abs(centre_at(j) + d) + slope[j] * (centre_at(j) + d);
    }
    return sum;
  }
  static double shrink(double v, double by) { return v > by ? v - by : v < -by ? v + by : 0; }
  // gradient += ∇ of the quadratic part
  void add_gradient(Weights w, std::span<double> gradient) const {
    for (std::size_t j = 0; j < w.size(); ++j) gradient[j] += curvature_at(j) * (w[j] - centre_at(j));
  }
};

}  // namespace hinge
