#include "hinge/solvers/stochastic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "hinge/core/random.h"
#include "tests/support/classes_oracle.h"

namespace hinge {
namespace {

// The algorithm as its header states it, on dense vectors.
Vector dense(const Objective& objective, const Vector& start, int first, int passes, std::uint64_t seed) {
  const Regulariser& regulariser = objective.regulariser();
  const auto n = static_cast<double>(objective.size());
  Random random(seed);
  std::vector<std::size_t> order(objective.size());
  std::iota(order.begin(), order.end(), 0);
  Vector w = start, sum(w.size(), 0.0);
  double W = n * first * (first + 1) / 2, total = 0;
  Plane plane;
  for (int p = first + 1; p <= first + passes; ++p) {
    random.shuffle(order);
    for (const std::size_t i : order) {
      for (std::size_t j = 0; j < w.size(); ++j) sum[j] += p * w[j];
      total += p;
      W += p;
      objective.plane(i, w, plane);
      Vector slope(w.size(), 0.0);
      plane.slope.add_to(slope, n * objective.block_weight(i));
      regulariser.add_gradient(w, slope);
      for (std::size_t j = 0; j < w.size(); ++j) w[j] -= p / W * slope[j] / regulariser.curvature_at(j);
    }
  }
  for (double& v : sum) v /= total;
  return sum;
}

class LazyScaling : public testing::TestWithParam<std::tuple<std::string, bool, bool, bool>> {};

TEST_P(LazyScaling, IsTheDenseAlgorithm) {
  const auto& [method, warm, centred, curved] = GetParam();
  auto oracle = ClassesOracle::random(30, 4, 3, 8);
  for (std::size_t i = 0; i < oracle.size(); i += 5) {
    oracle.items()[i].admitted = {0, 2};
    oracle.items()[i + 1].weight = 2.5;
  }
  Random random(3);
  Vector start(oracle.dimension());
  for (double& v : start) v = 0.1 * random.normal();
  Regulariser regulariser;
  if (centred) regulariser.centre = Vector(oracle.dimension(), 0.2);
  if (curved)
    for (std::size_t j = 0; j < oracle.dimension(); ++j)
      regulariser.curvature.push_back(0.5 + static_cast<double>(j % 3));
  SerialExecutor executor;
  Objective objective(oracle, Formulation::named(method), 3, executor, regulariser);
  objective.linearize(start);

  Stochastic solver;
  solver.settings = {.gap = 0, .max_passes = 8, .evaluate_every = 100, .warm_passes = 4, .seed = 11};
  const Summary summary = solver.minimize(objective, {.weights = warm ? start : Vector()}, {});
  const Vector origin = centred ? regulariser.centre : Vector(oracle.dimension(), 0.0);
  const int passes = warm ? 7 : 8;  // a warm start is evaluated first
  const Vector expected = dense(objective, warm ? start : origin, warm ? 4 : 0, passes, 11);
  const bool kept_start = warm && objective.value(start) < objective.value(expected);
  const Vector& best = kept_start ? start : expected;
  EXPECT_NEAR(summary.primal, objective.value(best), 1e-12 * summary.primal);
  for (std::size_t j = 0; j < best.size(); ++j) EXPECT_NEAR(summary.weights[j], best[j], 1e-12);
  EXPECT_EQ(summary.message.find("O(dimension)") != std::string::npos, centred);
}

INSTANTIATE_TEST_SUITE_P(All, LazyScaling,
                         testing::Combine(testing::Values("ssvm", "crf"), testing::Bool(), testing::Bool(),
                                          testing::Bool()));

TEST(Stochastic, EvaluatesAtTheEndEvenBetweenTwoEvaluations) {
  const auto oracle = ClassesOracle::random(30, 4, 3, 9);
  SerialExecutor executor;
  Objective objective(oracle, Formulation::named("ssvm"), 3, executor);
  Stochastic solver;
  solver.settings.evaluate_every = 1000;
  const Summary summary = solver.minimize(objective, {}, [](const Progress& p) { return p.iteration < 3; });
  EXPECT_EQ(summary.termination, Termination::stopped);
  EXPECT_EQ(summary.oracle_calls, 4u * 30u);
  EXPECT_NEAR(summary.primal, objective.value(summary.weights), 1e-12 * summary.primal);
  EXPECT_TRUE(std::isfinite(summary.dual));
}

TEST(Stochastic, RepeatsWithTheSeedOnly) {
  const auto oracle = ClassesOracle::random(30, 4, 3, 9);
  SerialExecutor executor;
  Objective objective(oracle, Formulation::named("ssvm"), 3, executor);
  const auto weights = [&](std::uint64_t seed) {
    Stochastic solver;
    solver.settings.max_passes = 10;
    solver.settings.seed = seed;
    return solver.minimize(objective, {}, {}).weights;
  };
  EXPECT_EQ(weights(1), weights(1));
  EXPECT_NE(weights(1), weights(2));
}

}  // namespace
}  // namespace hinge
