#include "hinge/solvers/tangent_mean.h"

#include <algorithm>

namespace hinge {

double TangentMean::mix(const SmoothPoint& point) {
  const Vector& w = point.w;
  const Vector& gradient = point.descent();
  slope_.resize(w.size());
  double sums[5];
  const auto& [quadratic, descent, aa, ap, pp] = sums;  // 1/2 |w − w0|²_R, <p, w − w0>; products under R⁻¹
  shares_.sum(sums, [&](std::size_t first, std::size_t last, std::span<double> sum) {
    for (std::size_t j = first; j < last; ++j) {
      const double r = regulariser_.curvature_at(j), d = w[j] - regulariser_.centre_at(j);
      const double p = gradient[j] - r * d, a = slope_[j];
      sum[0] += 0.5 * r * d * d;
      sum[1] += p * d;
      sum[2] += a * a / r;
      sum[3] += a * p / r;
      sum[4] += p * p / r;
    }
  });
  const double tangent_at_centre = point.value - quadratic - descent;

  const double distance = pp - 2 * ap + aa;
  const double share =
      distance > 0 ? std::clamp((tangent_at_centre - at_centre_ - ap + aa) / distance, 0.0, 1.0) : 0;
  at_centre_ += share * (tangent_at_centre - at_centre_);
  for (std::size_t j = 0; j < w.size(); ++j) {
    const double p = gradient[j] - regulariser_.curvature_at(j) * (w[j] - regulariser_.centre_at(j));
    slope_[j] += share * (p - slope_[j]);
  }
  const double rest = 1 - share;
  return at_centre_ - 0.5 * (rest * rest * aa + 2 * share * rest * ap + share * share * pp);
}

}  // namespace hinge
