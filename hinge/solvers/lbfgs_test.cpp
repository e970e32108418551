#include "hinge/solvers/lbfgs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/classes_oracle.h"

namespace hinge {
namespace {

const Formulation kCrf = Formulation::named("crf");

Lbfgs solver_to(double gap) {
  Lbfgs solver;
  solver.settings.gap = gap;
  return solver;
}

// The smooth part's gradient at w, and a direct Newton step from it: its Jacobian by central differences, the
// linear system by elimination.
Vector gradient_at(const Objective& objective, const Vector& w) {
  Vector g(w.size());
  objective.sum_of_excesses(w, g);
  objective.regulariser().add_gradient(w, g);
  return g;
}

Vector newton_step(const Objective& objective, const Vector& w) {
  const std::size_t d = w.size();
  std::vector<Vector> rows(d, Vector(d + 1));
  const Vector g = gradient_at(objective, w);
  for (std::size_t k = 0; k < d; ++k) {
    Vector above = w, below = w;
    above[k] += 1e-5;
    below[k] -= 1e-5;
    const Vector up = gradient_at(objective, above), down = gradient_at(objective, below);
    for (std::size_t j = 0; j < d; ++j) rows[j][k] = (up[j] - down[j]) / 2e-5;
    rows[k][d] = -g[k];
  }
  for (std::size_t k = 0; k < d; ++k)
    for (std::size_t j = 0; j < d; ++j) {
      const double factor = rows[j][k] / rows[k][k];
      if (j != k)
        for (std::size_t c = k; c <= d; ++c) rows[j][c] -= factor * rows[k][c];
    }
  Vector step(d);
  for (std::size_t k = 0; k < d; ++k) step[k] = rows[k][d] / rows[k][k];
  return step;
}

TEST(Lbfgs, ReachesTheOptimumOfNewtonsMethod) {
  for (const std::uint64_t seed : {1, 2, 3})
    for (const double C : {0.1, 10.0, 1000.0}) {
      const auto oracle = ClassesOracle::random(40, 3, 3, seed);
      SerialExecutor executor;
      Objective objective(oracle, kCrf, C, executor);
      Vector w(objective.dimension(), 0.0);
      for (int k = 0; k < 60; ++k) {
        const Vector step = newton_step(objective, w);
        const double now = objective.value(w);
        for (double t = 1; t > 1e-6; t /= 2) {
          Vector trial = w;
          for (std::size_t j = 0; j < w.size(); ++j) trial[j] += t * step[j];
          if (objective.value(trial) >= now) continue;
          w = trial;
          break;
        }
      }
      const double optimum = objective.value(w);
      const double rounding = 1e-12 * optimum;

      for (const double gap : {1e-2, 1e-5, 1e-10}) {
        const Summary summary = solver_to(gap).minimize(objective, {}, {});
        EXPECT_EQ(summary.termination, Termination::converged) << summary.message;
        EXPECT_LE(summary.relative_gap(), gap);
        EXPECT_LE(summary.dual, optimum + rounding);
        EXPECT_GE(summary.primal, optimum - rounding);
        EXPECT_NEAR(summary.primal, objective.value(summary.weights), rounding);
      }
    }
}

TEST(Lbfgs, NearlyAlwaysTakesTheFirstStep) {
  const auto oracle = ClassesOracle::random(200, 10, 5, 4);
  SerialExecutor executor;
  Objective objective(oracle, kCrf, 200, executor);
  const Summary summary = solver_to(1e-8).minimize(objective, {}, {});
  const auto evaluations = static_cast<double>(summary.oracle_calls) / 200;
  EXPECT_LE(evaluations, 1.15 * static_cast<double>(summary.iterations) + 4) << summary.brief();
}

// Proximal gradient steps, w ← shrink(w − g / L, λ / L), with L above the curvature.
Vector proximal_gradient(const Objective& objective, double L, int steps) {
  Vector w(objective.dimension(), 0.0);
  for (int k = 0; k < steps; ++k) {
    const Vector g = gradient_at(objective, w);
    for (std::size_t j = 0; j < w.size(); ++j)
      w[j] = Regulariser::shrink(w[j] - g[j] / L, objective.regulariser().l1 / L);
  }
  return w;
}

TEST(Lbfgs, WithL1EqualsProximalGradientAndMeetsTheOptimalityConditions) {
  for (const std::uint64_t seed : {1, 2, 3})
    for (const double l1 : {0.05, 0.3}) {
      const auto oracle = ClassesOracle::random(50, 6, 3, seed);
      SerialExecutor executor;
      Objective objective(oracle, kCrf, 10, executor, {.curvature = {}, .centre = {}, .l1 = l1});
      const Summary summary = solver_to(1e-11).minimize(objective, {}, {});
      EXPECT_EQ(summary.termination, Termination::converged) << summary.message;
      // The Hessian of log-sum-exp of <w_k, x> is at most |x|² / 2.
      const double L = 1 + 10 * std::pow(oracle.largest_norm(), 2) / 2;
      const Vector reference = proximal_gradient(objective, L, 3000);
      const double value = objective.value(reference), rounding = 1e-12 * value;
      EXPECT_GE(value, summary.dual - rounding);
      EXPECT_LE(summary.primal, value + summary.gap() + rounding);

      // |w − w*|² ≤ 2 gap by strong convexity; the gradient changes by at most L times that distance.
      const Vector g = gradient_at(objective, summary.weights);
      const double slack = L * std::sqrt(2 * std::max(summary.gap(), rounding));
      std::size_t zeros = 0;
      for (std::size_t j = 0; j < g.size(); ++j) {
        const double w = summary.weights[j];
        zeros += w == 0;
        if (w == 0)
          EXPECT_LE(std::abs(g[j]), l1 + slack);
        else
          EXPECT_NEAR(g[j], -std::copysign(l1, w), slack);
      }
      EXPECT_TRUE(l1 < 0.3 || zeros > 0);
    }
}

TEST(Lbfgs, EndsAfterOneRoundWhenStartedAtTheOptimum) {
  const auto oracle = ClassesOracle::random(60, 4, 3, 5);
  SerialExecutor executor;
  for (const double l1 : {0.0, 0.1}) {
    Objective objective(oracle, kCrf, 5, executor, {.curvature = {}, .centre = {}, .l1 = l1});
    const Summary first = solver_to(1e-9).minimize(objective, {}, {});
    const Summary second = solver_to(1e-8).minimize(objective, {.weights = first.weights}, {});
    EXPECT_EQ(second.iterations, 1u);
    EXPECT_EQ(second.oracle_calls, 60u);
    EXPECT_EQ(second.weights, first.weights);
  }
}

TEST(Lbfgs, StopsAtTheGradientNorm) {
  const auto oracle = ClassesOracle::random(60, 4, 3, 6);
  SerialExecutor executor;
  Objective objective(oracle, kCrf, 5, executor);
  Lbfgs solver = solver_to(0);
  solver.settings.gradient_norm = 1e-4;
  const Summary summary = solver.minimize(objective, {}, {});
  EXPECT_EQ(summary.termination, Termination::converged);
  const double norm = std::sqrt(squared_norm(gradient_at(objective, summary.weights)));
  EXPECT_LE(norm, 1e-4 * std::max(1.0, std::sqrt(squared_norm(summary.weights))));
  EXPECT_NEAR(summary.history.back().gradient_norm, norm, 1e-12);
}

TEST(Lbfgs, KeepsTheBestWeightsWhereRoundingEndsTheDescent) {
  const auto oracle = ClassesOracle::random(60, 4, 3, 7);
  SerialExecutor executor;
  Objective objective(oracle, kCrf, 1e4, executor);
  Lbfgs solver = solver_to(0);
  const Summary summary = solver.minimize(objective, {}, {});
  EXPECT_LE(summary.relative_gap(), 1e-10) << summary.brief();
  EXPECT_LT(summary.iterations, 1000u);
}

TEST(Lbfgs, RefusesWhatIsNotSmooth) {
  const auto oracle = ClassesOracle::random(5, 2, 2, 1);
  SerialExecutor executor;
  Objective objective(oracle, Formulation::named("ssvm"), 1, executor);
  try {
    solver_to(1e-3).minimize(objective, {}, {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("frank_wolfe"), std::string::npos);
  }
}

}  // namespace
}  // namespace hinge
