#include "hinge/solvers/line_search.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hinge {
namespace {

struct Curve {
  const char* name;
  double (*value)(double);
  double (*slope)(double);
};

const Curve kCurves[] = {
    {"quadratic", [](double t) { return (t - 1) * (t - 1); }, [](double t) { return 2 * (t - 1); }},
    {"quartic", [](double t) { return std::pow(t - 3, 4); }, [](double t) { return 4 * std::pow(t - 3, 3); }},
    {"log-sum-exp", [](double t) { return std::log(std::exp(-5 * t) + std::exp(t - 2)); },
     [](double t) {
       const double a = std::exp(-5 * t), b = std::exp(t - 2);
       return (b - 5 * a) / (a + b);
     }},
    {"wall", [](double t) { return t < 7 ? -t - std::log(7 - t) : INFINITY; },
     [](double t) { return t < 7 ? -1 + 1 / (7 - t) : INFINITY; }},
};

TEST(StrongWolfe, MeetsBothConditionsFromAnyFirstStep) {
  for (const Curve& curve : kCurves)
    for (const double first : {1e-6, 1e-3, 0.1, 1.0, 10.0, 1e4}) {
      const wolfe::Sample start{0, curve.value(0), curve.slope(0)};
      double last = NAN;
      const auto found = strong_wolfe(start, first, [&](double t) {
        last = t;
        return wolfe::Sample{t, curve.value(t), curve.slope(t)};
      });
      ASSERT_TRUE(found) << curve.name << " from " << first;
      EXPECT_EQ(found->step, last) << curve.name;
      EXPECT_LE(found->value, start.value + wolfe::kDecrease * found->step * start.slope) << curve.name;
      EXPECT_LE(std::abs(found->slope), 0.9 * std::abs(start.slope)) << curve.name;
    }
}

TEST(StrongWolfe, TakesAGoodFirstStepAtOnce) {
  int calls = 0;
  const auto found = strong_wolfe({0, 1, -2}, 1, [&](double t) {
    ++calls;
    return wolfe::Sample{t, (t - 1) * (t - 1), 2 * (t - 1)};
  });
  EXPECT_TRUE(found);
  EXPECT_EQ(calls, 1);
}

TEST(StrongWolfe, GivesUpWhereThereIsNoNumber) {
  int calls = 0;
  const auto found = strong_wolfe(
      {0, 1, -1}, 1,
      [&](double t) {
        ++calls;
        return wolfe::Sample{t, NAN, NAN};
      },
      7);
  EXPECT_FALSE(found);
  EXPECT_EQ(calls, 7);
}

}  // namespace
}  // namespace hinge
