#include "hinge/solvers/potential_row.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hinge/core/random.h"
#include "hinge/oracle/parts.h"

namespace hinge {
namespace {

TEST(PotentialRow, KeepsSinglePrecisionAsItIs) {
  PotentialRow row;
  EXPECT_TRUE(row.empty());
  const std::vector<float> theta = {1.25f, -3, SingleParts::kOut, 7e-8f};
  row.set(theta);
  std::vector<float> out;
  row.get(out);
  EXPECT_EQ(out, theta);
  Vector wide;
  row.get(wide);
  EXPECT_EQ(wide, Vector(theta.begin(), theta.end()));
  row.clear();
  EXPECT_TRUE(row.empty());
}

TEST(PotentialRow, RoundsToStepsAndKeepsWhatIsForbidden) {
  Random random(1);
  for (const std::size_t size : {1u, 7u, 8u, 100u, 1013u}) {
    std::vector<float> theta(size);
    for (float& v : theta) v = static_cast<float>(12 * random.normal());
    theta[size / 2] = size > 1 ? SingleParts::kOut : theta[0];
    std::vector<float> kept = theta, out;
    PotentialRow row;
    row.set_short(kept);
    EXPECT_EQ(row.size(), size);
    row.get(out);
    EXPECT_EQ(out, kept);  // what inference sees is what is kept
    for (std::size_t p = 0; p < size; ++p) {
      if (theta[p] == SingleParts::kOut)
        EXPECT_EQ(kept[p], SingleParts::kOut);
      else
        EXPECT_NEAR(kept[p], theta[p], 100.0 / 65534);
    }
    // Rounded once, it stays: the lowest and the highest are steps.
    std::vector<float> again = kept;
    row.set_short(again);
    for (std::size_t p = 0; p < size; ++p) {
      if (theta[p] == SingleParts::kOut) continue;
      EXPECT_NEAR(again[p], kept[p], 1e-4);
    }
  }
  std::vector<float> alike(5, 3.0f), out;
  PotentialRow row;
  row.set_short(alike);
  row.get(out);
  EXPECT_EQ(out, std::vector<float>(5, 3.0f));
}

}  // namespace
}  // namespace hinge
