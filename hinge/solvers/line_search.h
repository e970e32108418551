// A step along a descent direction, φ(t) = f(w + t p), that meets the strong Wolfe conditions
//
//     φ(t) ≤ φ(0) + c1 t φ'(0)      and      |φ'(t)| ≤ c2 |φ'(0)|,          c1 = 1e-4, c2 = 0.9,
//
// by bracketing and cubic interpolation (Nocedal & Wright 2006, section 3.5). The first condition is loosened
// by the rounding error of φ, so that the slope, which is more accurate, decides near the optimum.
#pragma once

#include <functional>
#include <optional>

namespace hinge {

namespace wolfe {

inline constexpr double kDecrease = 1e-4;   // c1
inline constexpr double kRounding = 1e-14;  // of a value, relative: it is a sum of many terms

struct Sample {
  double step, value, slope;  // t, φ(t), φ'(t)
};

}  // namespace wolfe

// `start` is the sample at 0, its slope negative; `first` the first step to try. The accepted sample is the
// last that was evaluated; nothing when max_evaluations did not find one.
std::optional<wolfe::Sample> strong_wolfe(const wolfe::Sample& start, double first,
                                          const std::function<wolfe::Sample(double step)>& evaluate,
                                          int max_evaluations = 30);

}  // namespace hinge
