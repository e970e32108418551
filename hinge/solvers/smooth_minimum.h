// The minimum of any smooth function by L-BFGS (curvature_pairs.h, line_search.h): for what is no sum of examples'
// losses. It ends where |∇f| ≤ tolerance · max(1, |w|), where no lower point is found, or after max_steps.
#pragma once

#include <functional>

#include "hinge/core/vector.h"

namespace hinge {

// f(w); the gradient is overwritten.
using SmoothFunction = std::function<double(Weights w, std::span<double> gradient)>;

struct SmoothMinimum {
  double value = 0, gradient_norm = 0;
  std::size_t evaluations = 0;
  bool converged = false;
};

// From w, which becomes the lowest point that was found.
SmoothMinimum minimise(const SmoothFunction& f, Vector& w, double tolerance, std::size_t max_steps);

}  // namespace hinge
