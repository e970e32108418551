// The optimum of one example in the dual of soft methods, where its structures are single parts that share no
// feature (multinomial logistic regression). Each part's own share of w moves its own score alone, and θ is where
// scores and shares agree:
//
//     θ_k + c_k p_k(θ) = t_k,      p = softmax(θ / τ),      c_k = κ |φ_k|² ≥ 0
//
// With p_k = e^{u_k} and θ_k = Z + τ u_k that is one equation for each u_k given Z, and Σ p_k = 1 for Z: sums of
// convex falling functions, so that Newton's steps from below never pass the root.
#pragma once

#include <span>

namespace hinge {

// The largest θ becomes 0: a number that is added to all of them changes nothing.
void solve_apart(std::span<const double> target, std::span<const double> curvature, double temperature,
                 std::span<double> theta);

}  // namespace hinge
