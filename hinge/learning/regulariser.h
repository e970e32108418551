// The quadratic that keeps weights near a centre, with its own curvature for each weight:
//
//     Ω(w) = 1/2 Σ_j r_j (w_j − w0_j)²  +  λ1 Σ_j |w_j|,        w_j ≥ 0 for some j
//
// Empty vectors mean r_j = 1, w0_j = 0 and no bounds. The L1 term is served by lbfgs alone (OWL-QN).
#pragma once

#include <cmath>
#include <vector>

#include "hinge/core/vector.h"

namespace hinge {

struct Regulariser {
  Vector curvature;                    // r
  Vector centre;                       // w0
  double l1 = 0;                       // λ1
  std::vector<char> nonnegative = {};  // whether w_j ≥ 0

  double curvature_at(std::size_t j) const { return curvature.empty() ? 1 : curvature[j]; }
  double centre_at(std::size_t j) const { return centre.empty() ? 0 : centre[j]; }
  bool plain() const { return curvature.empty() && centre.empty(); }
  bool bounded() const { return !nonnegative.empty(); }
  bool bounded(std::size_t j) const { return bounded() && nonnegative[j]; }
  // The nearest number that weight j may be.
  double allowed(std::size_t j, double v) const { return v < 0 && bounded(j) ? 0 : v; }
  void project(std::span<double> w) const {
    for (std::size_t j = 0; j < nonnegative.size(); ++j) w[j] = allowed(j, w[j]);
  }

  // The same of the weights `places` only, in that order.
  Regulariser of(const std::vector<Index>& places) const {
    const auto some = [&](const auto& all) {
      auto taken = all;
      taken.clear();
      if (!all.empty())
        for (const Index j : places) taken.push_back(all[j]);
      return taken;
    };
    return {some(curvature), some(centre), l1, some(nonnegative)};
  }

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
  // min over the u that are allowed of Ω(u) + <slope, u>. Where <slope, ·> + offset is a plane below the rest of an objective,
  // this plus the offset is a lower bound on its minimum. Each weight is found alone, by soft thresholding and its bound.
  double minimum_with(Weights slope) const {
    double sum = 0;
    for (std::size_t j = 0; j < slope.size(); ++j) {
      const double r = curvature_at(j), u = allowed(j, shrink(centre_at(j) - slope[j] / r, l1 / r)),
                   d = u - centre_at(j);
      sum += 0.5 * r * d * d + l1 * std::abs(u) + slope[j] * u;
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
