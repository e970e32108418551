// Maximises the dual over one block of planes by pairwise steps with exact line search. Moving mass γ from
// plane p to plane q gains
//
//     κ γ (score_q − score_p) − 1/2 κ² γ² |slope_q − slope_p|².
//
// The planes are seen through a Block with
//
//     highest()                  the plane with the largest score
//     score(p), mean()           and Σ_p α_p score_p
//     for_each_active(f)         f(p, α_p) for every plane with α_p > 0
//     distance(q, p)             |slope_q − slope_p|²
//     exchange(p, q, γ, κ γ)     moves the mass and brings the scores up to date
#pragma once

#include <cstddef>

namespace hinge {

// Steps until highest − mean ≤ enough; returns the gain.
template <class Block>
double pairwise_ascent(Block& block, double kappa, double enough, std::size_t max_steps) {
  double gained = 0;
  for (std::size_t step = 0; step < max_steps; ++step) {
    const std::size_t to = block.highest();
    const double top = block.score(to);
    if (top - block.mean() <= enough) break;
    std::size_t from = to;
    double mass = 0, gain = 0;
    block.for_each_active([&](std::size_t p, double alpha) {
      const double difference = top - block.score(p);
      if (difference <= 0) return;
      const double curvature = kappa * block.distance(to, p);
      const double moved = curvature * alpha <= difference ? alpha : difference / curvature;
      const double gain_here = kappa * moved * (difference - 0.5 * moved * curvature);
      if (gain_here > gain) from = p, mass = moved, gain = gain_here;
    });
    if (gain <= 0) break;
    block.exchange(from, to, mass, kappa * mass);
    gained += gain;
  }
  return gained;
}

}  // namespace hinge
