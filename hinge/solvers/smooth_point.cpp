#include "hinge/solvers/smooth_point.h"

#include <algorithm>

namespace hinge {
namespace {

// What stays in the second cache between the loops over it.
constexpr std::size_t kBlock = 16384;

// The subgradient of least norm of smooth + λ |·|, where g is the smooth part's gradient.
double least_subgradient(double w, double g, double lambda) {
  return w > 0 ? g + lambda : w < 0 ? g - lambda : Regulariser::shrink(g, lambda);
}

}  // namespace

double SmoothPoint::evaluate(const Objective& objective, Run& run, Weights direction) {
  value = run.oracle([&] { return objective.sum_of_excesses(w, gradient); });
  const Regulariser& regulariser = objective.regulariser();
  if (regulariser.plain() && regulariser.l1 == 0 && !regulariser.bounded()) return add_plain(direction);
  add_regulariser(regulariser);
  return direction.empty() ? 0 : dot(gradient, direction);
}

// Ω(w) = 1/2 |w|², where nothing is worth more than reading memory once.
double SmoothPoint::add_plain(Weights direction) {
  double weights = 0, gradients = 0, slope = 0;
  for (std::size_t begin = 0; begin < w.size(); begin += kBlock) {
    const std::size_t count = std::min(kBlock, w.size() - begin);
    const std::span<double> g(gradient.data() + begin, count);
    const Weights v(w.data() + begin, count);
    for (std::size_t j = 0; j < count; ++j) g[j] += v[j];
    weights += squared_norm(v);
    gradients += squared_norm(g);
    if (!direction.empty()) slope += dot(g, direction.subspan(begin, count));
  }
  value += 0.5 * weights;
  bound = value - 0.5 * gradients;
  steepest_norm = std::sqrt(gradients);
  return slope;
}

void SmoothPoint::add_regulariser(const Regulariser& regulariser) {
  const double lambda = regulariser.l1;
  const bool corners = lambda > 0 || regulariser.bounded();
  if (corners) steepest.resize(w.size());
  double penalty = 0, least = 0, norm = 0;
  for (std::size_t j = 0; j < w.size(); ++j) {
    const double r = regulariser.curvature_at(j), d = w[j] - regulariser.centre_at(j);
    const double g = gradient[j] += r * d;
    penalty += 0.5 * r * d * d + lambda * std::abs(w[j]);
    const double u = regulariser.allowed(j, Regulariser::shrink(w[j] - g / r, lambda / r)), move = u - w[j];
    least += g * move + 0.5 * r * move * move + lambda * (std::abs(u) - std::abs(w[j]));
    const bool at_bound = w[j] == 0 && regulariser.bounded(j);
    const double s = at_bound ? std::min(g + lambda, 0.0) : least_subgradient(w[j], g, lambda);
    if (corners) steepest[j] = s;
    norm += s * s;
  }
  value += penalty;
  bound = value + least;
  steepest_norm = std::sqrt(norm);
}

}  // namespace hinge
