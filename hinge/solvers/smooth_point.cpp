#include "hinge/solvers/smooth_point.h"

#include <algorithm>

namespace hinge {
namespace {

// The subgradient of least norm of smooth + λ |·|, where g is the smooth part's gradient.
double least_subgradient(double w, double g, double lambda) {
  return w > 0 ? g + lambda : w < 0 ? g - lambda : Regulariser::shrink(g, lambda);
}

}  // namespace

double SmoothPoint::evaluate(const Objective& objective, Run& run, Weights direction) {
  value = run.oracle([&] { return objective.sum_of_excesses(run.shares(), w, gradient); });
  const Regulariser& regulariser = run.regulariser();
  if (regulariser.plain() && regulariser.l1 == 0 && !regulariser.bounded())
    return add_plain(run.shares(), direction);
  add_regulariser(run);
  if (direction.empty()) return 0;
  double slope = 0;
  run.shares().sum({&slope, 1}, [&](std::size_t first, std::size_t last, std::span<double> sum) {
    sum[0] += dot(Weights(gradient).subspan(first, last - first), direction.subspan(first, last - first));
  });
  return slope;
}

// Ω(w) = 1/2 |w|², where nothing is worth more than reading memory once.
double SmoothPoint::add_plain(const WeightShares& shares, Weights direction) {
  double sums[3];
  const auto& [weights, gradients, slope] = sums;
  shares.sum(sums, [&](std::size_t first, std::size_t last, std::span<double> sum) {
    const std::size_t count = last - first;
    const std::span<double> g(gradient.data() + first, count);
    const Weights v(w.data() + first, count);
    for (std::size_t j = 0; j < count; ++j) g[j] += v[j];
    sum[0] += squared_norm(v);
    sum[1] += squared_norm(g);
    if (!direction.empty()) sum[2] += dot(g, direction.subspan(first, count));
  });
  value += 0.5 * weights;
  bound = value - 0.5 * gradients;
  steepest_norm = std::sqrt(gradients);
  return slope;
}

void SmoothPoint::add_regulariser(const Run& run) {
  const Regulariser& regulariser = run.regulariser();
  const double lambda = regulariser.l1;
  const bool corners = lambda > 0 || regulariser.bounded();
  if (corners) steepest.resize(w.size());
  double sums[3];
  const auto& [penalty, least, norm] = sums;
  run.shares().sum(sums, [&](std::size_t first, std::size_t last, std::span<double> sum) {
    for (std::size_t j = first; j < last; ++j) {
      const double r = regulariser.curvature_at(j), d = w[j] - regulariser.centre_at(j);
      const double g = gradient[j] += r * d;
      sum[0] += 0.5 * r * d * d + lambda * std::abs(w[j]);
      const double u = regulariser.allowed(j, Regulariser::shrink(w[j] - g / r, lambda / r)), move = u - w[j];
      sum[1] += g * move + 0.5 * r * move * move + lambda * (std::abs(u) - std::abs(w[j]));
      const bool at_bound = w[j] == 0 && regulariser.bounded(j);
      const double s = at_bound ? std::min(g + lambda, 0.0) : least_subgradient(w[j], g, lambda);
      if (corners) steepest[j] = s;
      sum[2] += s * s;
    }
  });
  value += penalty;
  bound = value + least;
  steepest_norm = std::sqrt(norm);
}

}  // namespace hinge
