#include "hinge/core/smooth_max.h"

#include <gtest/gtest.h>

#include <numeric>

#include "hinge/core/random.h"

namespace hinge {
namespace {

Vector scores(Random& random, double scale) {
  Vector f(1 + random.below(9));
  for (double& v : f) v = scale * random.normal();
  return f;
}

TEST(SmoothMax, EqualsItsFormula) {
  Random random(3);
  for (double temperature : {0.25, 1.0, 3.0})
    for (int trial = 0; trial < 200; ++trial) {
      const Vector f = scores(random, 2);
      long double sum = 0;
      for (double v : f) sum += std::exp(static_cast<long double>(v) / temperature);
      const double expected = static_cast<double>(temperature * std::log(sum));
      const double scale = 1 + std::abs(f[arg_max(f)]) + temperature;
      EXPECT_NEAR(smooth_max(f, temperature), expected, 1e-14 * scale);
    }
}

TEST(SmoothMax, ApproachesTheMaximum) {
  Random random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const Vector f = scores(random, 10);
    const double top = f[arg_max(f)];
    EXPECT_EQ(smooth_max(f, 0), top);
    for (double temperature = 1; temperature > 1e-9; temperature /= 7) {
      const double value = smooth_max(f, temperature);
      EXPECT_GE(value, top);
      EXPECT_LE(value,
                top + temperature * std::log(static_cast<double>(f.size())) + 1e-15 * (1 + std::abs(top)));
    }
  }
}

TEST(SmoothMax, HasTheSoftmaxAsItsGradient) {
  Random random(5);
  for (double temperature : {0.5, 1.0, 4.0})
    for (int trial = 0; trial < 100; ++trial) {
      Vector f = scores(random, 2);
      Vector p(f.size());
      EXPECT_EQ(smooth_max(f, temperature, p), smooth_max(f, temperature));
      EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-14);
      const double h =
          1e-5;  // central differences: h² / (6 τ²) from the third derivative, 1e-16 / h from rounding
      for (std::size_t s = 0; s < f.size(); ++s) {
        const double here = f[s];
        f[s] = here + h;
        const double above = smooth_max(f, temperature);
        f[s] = here - h;
        const double below = smooth_max(f, temperature);
        f[s] = here;
        EXPECT_NEAR((above - below) / (2 * h), p[s],
                    h * h / (temperature * temperature) + 1e-15 / h * (10 + std::abs(above)));
      }
    }
}

TEST(SmoothMax, LeavesOutWhatIsForbidden) {
  const Vector with = {1.5, kForbidden, -0.5, kForbidden}, without = {1.5, -0.5};
  Vector p(4), q(2);
  for (double temperature : {0.0, 0.1, 1.0}) {
    EXPECT_EQ(smooth_max(with, temperature, p), smooth_max(without, temperature, q));
    EXPECT_EQ(p, (Vector{q[0], 0, q[1], 0}));
  }
  const Vector nothing = {kForbidden, kForbidden};
  for (double temperature : {0.0, 1.0}) {
    q = {7, 7};
    EXPECT_EQ(smooth_max(nothing, temperature), kForbidden);
    EXPECT_EQ(smooth_max(nothing, temperature, q), kForbidden);
    EXPECT_EQ(q, (Vector{0, 0}));
  }
}

TEST(SmoothMax, GivesATieToTheFirst) {
  Vector p(4);
  EXPECT_EQ(smooth_max(Vector{1, 3, 3, 2}, 0, p), 3);
  EXPECT_EQ(p, (Vector{0, 1, 0, 0}));
}

TEST(SmoothMax, NeitherOverflowsNorNeedsASecondBuffer) {
  Vector f = {1e5, 1e5, -1e5};
  EXPECT_EQ(smooth_max(f, 1), 1e5 + std::log(2.0));
  EXPECT_EQ(smooth_max(f, 1, f), 1e5 + std::log(2.0));
  EXPECT_EQ(f, (Vector{0.5, 0.5, 0}));
}

}  // namespace
}  // namespace hinge
