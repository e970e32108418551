#include "hinge/core/random.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace hinge {
namespace {

// First outputs of xoshiro256++ behind splitmix64, from a separate implementation in Python's integers.
TEST(Random, GivesTheKnownFirstValues) {
  const std::vector<std::pair<std::uint64_t, std::vector<std::uint64_t>>> known = {
      {0, {0x53175d61490b23df, 0x61da6f3dc380d507, 0x5c0fdf91ec9a7bfc, 0x02eebf8c3bbe5e1a}},
      {42, {0xd0764d4f4476689f, 0x519e4174576f3791, 0xfbe07cfb0c24ed8c, 0xb37d9f600cd835b8}},
      {~std::uint64_t{0}, {0x56ccf8ce948e27b2, 0xe68588432e5a5b90, 0xe3e9b5a48119ca8b, 0x460f19495532ae73}}};
  for (const auto& [seed, values] : known) {
    Random random(seed);
    for (std::uint64_t value : values) EXPECT_EQ(random.next(), value) << "seed " << seed;
  }
}

// χ² of equal cells: mean cells − 1, variance 2 (cells − 1); six deviations are a failure.
void expect_uniform(const std::vector<std::size_t>& hits) {
  double total = 0, chi = 0;
  for (std::size_t h : hits) total += static_cast<double>(h);
  const double cells = static_cast<double>(hits.size()), expected = total / cells;
  for (std::size_t h : hits) chi += std::pow(static_cast<double>(h) - expected, 2) / expected;
  EXPECT_NEAR(chi, cells - 1, 6 * std::sqrt(2 * (cells - 1)));
}

TEST(Random, IsUniform) {
  for (std::uint64_t seed : {1u, 2u, 3u}) {
    Random random(seed);
    std::vector<std::size_t> below(37), uniform(64), order(24);
    for (int k = 0; k < 100000; ++k) {
      ++below[random.below(below.size())];
      const double u = random.uniform();
      ASSERT_TRUE(u >= 0 && u < 1);
      ++uniform[static_cast<std::size_t>(u * 64)];
      std::vector<std::size_t> items = {0, 1, 2, 3};
      random.shuffle(items);
      std::size_t rank = 0;  // of the permutation among the 24
      for (std::size_t i = 0; i < 4; ++i)
        rank = rank * (4 - i) +
               static_cast<std::size_t>(std::count_if(items.begin() + static_cast<long>(i), items.end(),
                                                      [&](std::size_t later) { return later < items[i]; }));
      ++order[rank];
    }
    expect_uniform(below);
    expect_uniform(uniform);
    expect_uniform(order);
  }
}

TEST(Random, HasNormalMoments) {
  Random random(9);
  const int n = 200000;
  double first = 0, second = 0, fourth = 0;
  for (int k = 0; k < n; ++k) {
    const double v = random.normal();
    ASSERT_TRUE(std::isfinite(v));
    first += v;
    second += v * v;
    fourth += v * v * v * v;
  }
  const double deviation = 1 / std::sqrt(static_cast<double>(n));  // × √1, √2, √96 for the three moments
  EXPECT_NEAR(first / n, 0, 6 * deviation);
  EXPECT_NEAR(second / n, 1, 6 * deviation * std::sqrt(2));
  EXPECT_NEAR(fourth / n, 3, 6 * deviation * std::sqrt(96));
}

}  // namespace
}  // namespace hinge
