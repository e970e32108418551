#include "hinge/solvers/curvature_pairs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>

#include "hinge/core/random.h"

namespace hinge {
namespace {

// −H g by the textbook two-loop recursion, on the pairs as they are stored: rounded to single precision.
Vector two_loop(const std::deque<std::pair<Vector, Vector>>& pairs, const Vector& g) {
  Vector q = g, alpha;
  for (auto pair = pairs.rbegin(); pair != pairs.rend(); ++pair) {
    const auto& [s, y] = *pair;
    alpha.push_back(dot(s, q) / dot(s, y));
    for (std::size_t j = 0; j < q.size(); ++j) q[j] -= alpha.back() * y[j];
  }
  const auto& [last_s, last_y] = pairs.back();
  const double gamma = dot(last_s, last_y) / dot(last_y, last_y);
  for (double& v : q) v *= gamma;
  for (const auto& [s, y] : pairs) {
    const double factor = alpha.back() - dot(y, q) / dot(s, y);
    alpha.pop_back();
    for (std::size_t j = 0; j < q.size(); ++j) q[j] += factor * s[j];
  }
  for (double& v : q) v = -v;
  return q;
}

TEST(CurvaturePairs, IsTheTwoLoopRecursion) {
  constexpr std::size_t dimension = 16384 + 37, capacity = 4;
  for (const std::uint64_t seed : {1, 2, 3}) {
    Random random(seed);
    const WeightShares all(dimension);
    CurvaturePairs memory(capacity, all);
    std::deque<std::pair<Vector, Vector>> pairs;
    Vector from(dimension), gradient_from(dimension), p(dimension);
    for (int round = 0; round < 9; ++round) {
      Vector to = from, gradient_to = gradient_from, s(dimension), y(dimension);
      for (std::size_t j = 0; j < dimension; ++j) {
        const double move = random.normal();
        to[j] += move;
        gradient_to[j] += (1 + static_cast<double>(j % 7)) * move;
        s[j] = static_cast<float>(to[j] - from[j]);
        y[j] = static_cast<float>(gradient_to[j] - gradient_from[j]);
      }
      pairs.emplace_back(s, y);
      if (pairs.size() > capacity) pairs.pop_front();
      const CurvaturePairs::Step step{from, to, gradient_from, gradient_to};
      const double slope = memory.direction(&step, gradient_to, p);
      const Vector expected = two_loop(pairs, gradient_to);
      const double scale = std::sqrt(squared_norm(expected));
      double distance = 0;
      for (std::size_t j = 0; j < dimension; ++j) distance += std::pow(p[j] - expected[j], 2);
      EXPECT_LE(std::sqrt(distance), 1e-12 * scale) << "round " << round;
      EXPECT_NEAR(slope, dot(gradient_to, p), 1e-12 * std::abs(slope));
      EXPECT_LT(slope, 0);
      from = to;
      gradient_from = gradient_to;
    }
  }
}

TEST(CurvaturePairs, StartsWithTheGradientAndForgetsWhatIsNotConvex) {
  const WeightShares all(2);
  CurvaturePairs memory(3, all);
  const Vector zero = {0, 0}, g = {3, -4}, to = {1, 1}, falling = {-1, -1};
  Vector p(2);
  EXPECT_EQ(memory.direction(nullptr, g, p), -25);
  EXPECT_EQ(p, (Vector{-3, 4}));
  const CurvaturePairs::Step step{zero, to, zero, falling};
  EXPECT_EQ(memory.direction(&step, g, p), -25);
  EXPECT_TRUE(memory.empty());
}

}  // namespace
}  // namespace hinge
