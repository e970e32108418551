#include "hinge/watch/monitor.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hinge {
namespace {

GapHistory curve(double seconds, const std::function<double(double)>& gap) {
  GapHistory history;
  for (int k = 1; k <= 20; ++k) history.emplace_back(seconds * k / 20, gap(seconds * k / 20));
  return history;
}

TEST(EstimateRemaining, FollowsAGapThatFallsEvenly) {
  const auto even = [](double t) { return std::exp(-0.1 * t); };
  EXPECT_NEAR(estimate_remaining(curve(30, even), std::exp(-5)), 20, 1e-9);
  EXPECT_EQ(estimate_remaining(curve(60, even), std::exp(-5)), 0);
}

TEST(EstimateRemaining, SaysNothingOfWhatItCannotKnow) {
  const auto even = [](double t) { return std::exp(-0.1 * t); };
  EXPECT_LT(estimate_remaining({{1, 0.5}, {2, 0.4}, {3, 0.3}}, 1e-3), 0);         // too little was seen
  EXPECT_LT(estimate_remaining(curve(1, even), 1e-9), 0);                         // too far away
  EXPECT_LT(estimate_remaining(curve(30, [](double) { return 0.5; }), 1e-3), 0);  // it stands
  EXPECT_LT(estimate_remaining(curve(30, [&](double t) { return 1 / even(t); }), 1e-3), 0);  // it rises
  EXPECT_LT(estimate_remaining(curve(30, even), 0), 0);
  // It falls faster and faster, as at the start of a run whose end is near.
  EXPECT_LT(estimate_remaining(curve(30, [](double t) { return std::exp(-t * t * t / 1e4); }), 1e-9), 0);
}

}  // namespace
}  // namespace hinge
