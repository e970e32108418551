#include "hinge/solvers/smooth_minimum.h"

#include <algorithm>
#include <cmath>

#include "hinge/solvers/curvature_pairs.h"
#include "hinge/solvers/line_search.h"

namespace hinge {

SmoothMinimum minimise(const SmoothFunction& f, Vector& w, double tolerance, std::size_t max_steps) {
  constexpr std::size_t kMemory = 10;
  const std::size_t dimension = w.size();
  SmoothMinimum result;
  const auto evaluate = [&](Weights at, std::span<double> gradient) {
    ++result.evaluations;
    return f(at, gradient);
  };
  const WeightShares all(dimension);
  CurvaturePairs pairs(kMemory, all);
  Vector gradient(dimension), next(dimension), next_gradient(dimension), p(dimension);
  result.value = evaluate(w, gradient);
  bool has_step = false;
  for (std::size_t step = 0;; ++step) {
    result.gradient_norm = std::sqrt(squared_norm(gradient));
    result.converged = result.gradient_norm <= tolerance * std::max(1.0, std::sqrt(squared_norm(w)));
    if (result.converged || step >= max_steps) return result;
    const CurvaturePairs::Step last{next, w, next_gradient, gradient};
    double slope = pairs.direction(has_step ? &last : nullptr, gradient, p);
    double value = result.value;
    // `next` and its gradient were the point before, and are overwritten from here on.
    Vector trial(dimension), trial_gradient(dimension);
    const auto search = [&](double first) {
      if (!(slope < 0)) return false;
      return strong_wolfe({0, result.value, slope}, first,
                          [&](double t) -> wolfe::Sample {
                            for (std::size_t j = 0; j < dimension; ++j) trial[j] = w[j] + t * p[j];
                            value = evaluate(trial, trial_gradient);
                            return {t, value, dot(trial_gradient, p)};
                          })
          .has_value();
    };
    const double first = std::min(1.0, 1 / result.gradient_norm);
    bool found = search(pairs.empty() ? first : 1);
    if (!found && !pairs.empty()) {
      pairs.clear();
      slope = pairs.direction(nullptr, gradient, p);
      found = search(first);
    }
    if (!found) return result;
    next = std::move(w);
    next_gradient = std::move(gradient);
    w = std::move(trial);
    gradient = std::move(trial_gradient);
    result.value = value;
    has_step = true;
  }
}

}  // namespace hinge
