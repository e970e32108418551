#include "hinge/solvers/apart.h"

#include <algorithm>
#include <cmath>

namespace hinge {
namespace {

// The u with τ u + c e^u = r. The left side is convex and rises: from a u above the root steps come down to it.
double part_at(double r, double c, double temperature, double start) {
  const double alone = r / temperature;
  if (c * std::exp(std::min(alone, 0.0)) < 1e-12 * temperature) return alone;
  double u = std::min(alone, start);
  for (int k = 0; k < 50; ++k) {
    const double own = c * std::exp(u), step = (temperature * u + own - r) / (temperature + own);
    u -= step;
    if (std::abs(step) < 1e-9 * (1 + std::abs(u))) break;
  }
  return u;
}

}  // namespace

void solve_apart(std::span<const double> target, std::span<const double> curvature, double temperature,
                 std::span<double> theta) {
  const std::size_t size = target.size();
  double Z = -INFINITY;  // where some part has all: Σ p ≥ 1
  for (std::size_t k = 0; k < size; ++k) Z = std::max(Z, target[k] - curvature[k]);
  for (std::size_t k = 0; k < size; ++k) theta[k] = 0;  // u, which falls as Z rises
  for (int step = 0; step < 100; ++step) {
    double sum = 0, slope = 0;
    for (std::size_t k = 0; k < size; ++k) {
      theta[k] = part_at(target[k] - Z, curvature[k], temperature, theta[k]);
      const double p = std::exp(theta[k]);
      sum += p;
      slope += p / (temperature + curvature[k] * p);
    }
    if (sum - 1 < 1e-10) break;
    Z += (sum - 1) / slope;
  }
  const double top = *std::ranges::max_element(theta);
  for (double& u : theta) u = temperature * (u - top);
}

}  // namespace hinge
