#include "hinge/solvers/tangent_mean.h"

#include <gtest/gtest.h>

#include "tests/support/classes_oracle.h"

namespace hinge {
namespace {

// Mixes with the best share, found by ternary search, each bound by Regulariser::minimum_with.
struct Reference {
  DensePlane mean;

  double mix(const Objective& objective, const Vector& w) {
    DensePlane tangent{0, Vector(w.size())};
    const double excess = objective.sum_of_excesses(w, tangent.slope);
    tangent.offset = excess - dot(tangent.slope, w);
    mean.slope.resize(w.size());
    const auto mixed = [&](double share) {
      DensePlane plane = mean;
      plane.offset += share * (tangent.offset - mean.offset);
      for (std::size_t j = 0; j < w.size(); ++j) plane.slope[j] += share * (tangent.slope[j] - mean.slope[j]);
      return plane;
    };
    const auto bound = [&](const DensePlane& plane) {
      return plane.offset + objective.regulariser().minimum_with(plane.slope);
    };
    double low = 0, high = 1;
    for (int k = 0; k < 100; ++k) {
      const double left = low + (high - low) / 3, right = high - (high - low) / 3;
      if (bound(mixed(left)) < bound(mixed(right)))
        low = left;
      else
        high = right;
    }
    mean = mixed(low);
    return bound(mean);
  }
};

TEST(TangentMean, MixesWithTheBestShare) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto oracle = ClassesOracle::random(30, 3, 2, seed);
    SerialExecutor executor;
    Regulariser regulariser;
    Random random(seed);
    for (std::size_t j = 0; j < oracle.dimension(); ++j) {
      regulariser.curvature.push_back(0.5 + random.uniform());
      regulariser.centre.push_back(random.normal());
    }
    Objective objective(oracle, Formulation::named("crf"), 2, executor, regulariser);
    const Observer observer;
    hinge::Run run("test", objective, observer);
    TangentMean tangents(run);
    Reference reference;
    double last = 0;
    for (int round = 0; round < 3; ++round) {
      SmoothPoint point(Vector(oracle.dimension(), 0.0));
      for (double& v : point.w) v = random.normal();
      point.evaluate(objective, run, {});
      const double bound = tangents.mix(point), expected = reference.mix(objective, point.w);
      EXPECT_GE(bound, last);
      EXPECT_LE(bound, point.value);
      EXPECT_GE(bound, point.bound);
      // A search sees the place of a maximum to the root of rounding, and the next round starts from there.
      EXPECT_NEAR(bound, expected, 1e-7 * point.value);
      last = bound - 1e-12 * std::abs(bound);
    }
  }
}

}  // namespace
}  // namespace hinge
