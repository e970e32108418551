#include "hinge/solvers/line_search.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace hinge {
namespace {

constexpr double kCurvature = 0.9;  // c2

// The minimiser of the cubic through two values and slopes; NaN when it has none.
double cubic_minimiser(const wolfe::Sample& a, const wolfe::Sample& b) {
  const double d1 = a.slope + b.slope - 3 * (a.value - b.value) / (a.step - b.step);
  const double d2 = std::copysign(std::sqrt(d1 * d1 - a.slope * b.slope), b.step - a.step);
  return b.step - (b.step - a.step) * (b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2);
}

// As close to `t` as [low, high] allows, and its middle when t is no number.
double safeguarded(double t, double low, double high) {
  return std::isnan(t) ? (low + high) / 2 : std::clamp(t, low, high);
}

}  // namespace

std::optional<wolfe::Sample> strong_wolfe(const wolfe::Sample& start, double first,
                                          const std::function<wolfe::Sample(double)>& evaluate,
                                          int max_evaluations) {
  assert(start.slope < 0 && first > 0);
  const double rounding = wolfe::kRounding * std::abs(start.value);
  wolfe::Sample low = start;          // the best so far: a minimum lies between it and `high`, or beyond it
  std::optional<wolfe::Sample> high;  // nothing as long as nothing bounds the step
  double step = first;
  for (int k = 0; k < max_evaluations; ++k) {
    const wolfe::Sample now = evaluate(step);
    const bool decreases = now.value <= start.value + wolfe::kDecrease * step * start.slope + rounding &&
                           now.value <= low.value + rounding;
    if (decreases && std::abs(now.slope) <= -kCurvature * start.slope) return now;
    if (!decreases) {  // also when the value is no number
      high = now;
    } else {
      const bool turned = now.slope * (now.step - low.step) >= 0;
      if (turned) high = low;
      const wolfe::Sample before = std::exchange(low, now);
      if (!high) step = safeguarded(cubic_minimiser(before, now), 1.5 * now.step, 10 * now.step);
    }
    if (high) {
      const auto [left, right] = std::minmax(low.step, high->step);
      const double margin = 0.1 * (right - left);
      step = safeguarded(cubic_minimiser(low, *high), left + margin, right - margin);
    }
  }
  return std::nullopt;
}

}  // namespace hinge
