#include "hinge/inference/single_chain.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hinge/inference/chain.h"
#include "tests/support/chains.h"

namespace hinge {
namespace {

struct Rows {
  Vector scores, counts;
  double value, entropy;
};

// What Chain says, which equals enumeration.
Rows in_double(const ChainScores& scores, double temperature) {
  Rows rows;
  rows.scores.resize(scores.parts());
  rows.counts.resize(scores.parts());
  scores.get(rows.scores);
  for (double& v : rows.scores) v = std::max(v, -1e30);
  Chain chain;
  ChainCounts counts;
  rows.value = chain.solve(scores, temperature, temperature, counts);
  counts.get(rows.counts);
  rows.entropy = rows.value - dot(rows.scores, rows.counts);
  return rows;
}

void expect_near_double(SingleChain& chain, const ChainScores& scores, double temperature) {
  SCOPED_TRACE(
      fmt::format("{} positions, {} labels, temperature {}", scores.length(), scores.labels(), temperature));
  const Rows expected = in_double(scores, temperature);
  std::vector<float> rows(expected.scores.begin(), expected.scores.end()), counts(rows.size(), 7.0f);
  SoftValue found;
  ASSERT_TRUE(chain.solve(rows, scores.length(), scores.labels(), temperature, counts, found));
  const double length = static_cast<double>(scores.length());
  EXPECT_NEAR(found.value, expected.value, 1e-6 * (1 + std::abs(expected.value)) + 1e-6 * length);
  EXPECT_NEAR(found.entropy, expected.entropy, 2e-5 * temperature * length);
  for (std::size_t p = 0; p < rows.size(); ++p)
    EXPECT_NEAR(static_cast<double>(counts[p]), expected.counts[p], 3e-6 * length) << p;
}

TEST(SingleChain, IsNearDouble) {
  SingleChain chain;  // one for all, so that rooms of other shapes are left from before
  for (const std::size_t labels : {8u, 9u, 15u, 16u, 22u, 26u, 32u, 33u, 50u, 70u})
    for (const std::size_t length : {1u, 2u, 3u, 30u})
      for (const double scale : {0.1, 3.0})
        for (const double temperature : {0.5, 1.0, 4.0})
          expect_near_double(chain, random_chain(length, labels, scale, 7 * labels + length), temperature);
}

// Where a chain is sure, its entropy is a small number beside its value, and still right.
TEST(SingleChain, KnowsTheEntropyOfSureChains) {
  SingleChain chain;
  ChainScores scores = random_chain(40, 12, 1, 5);
  for (std::size_t t = 0; t < 40; ++t) scores.node(t)[t % 12] += 25;
  const Rows expected = in_double(scores, 1);
  ASSERT_LT(expected.entropy, 1e-3);
  const std::vector<float> rows(expected.scores.begin(), expected.scores.end());
  std::vector<float> counts(rows.size());
  SoftValue found;
  ASSERT_TRUE(chain.solve(rows, 40, 12, 1, counts, found));
  EXPECT_NEAR(found.entropy, expected.entropy, 1e-5);
}

// Nodes that contradict pairs whose scores are far apart: sums of what comes behind are as large as their range to the power of
// two, which single precision may not hold. What is answered is right, and what is not is refused.
TEST(SingleChain, RefusesWhereSumsLeaveWhatNumbersHold) {
  SingleChain chain;
  Random random(11);
  int refused = 0, answered = 0;
  for (int draw = 0; draw < 3000; ++draw) {
    const std::size_t length = 2 + random.below(8), labels = 8 + random.below(4);
    ChainScores scores = random_chain(length, labels, 11, 1000 + static_cast<std::uint64_t>(draw));
    const Rows expected = in_double(scores, 1);
    const std::vector<float> rows(expected.scores.begin(), expected.scores.end());
    std::vector<float> counts(rows.size());
    SoftValue found;
    if (!chain.solve(rows, length, labels, 1, counts, found)) {
      ++refused;
      continue;
    }
    ++answered;
    ASSERT_NEAR(found.value, expected.value, 1e-5 * (1 + std::abs(expected.value)));
    for (std::size_t p = 0; p < rows.size(); ++p)
      ASSERT_NEAR(static_cast<double>(counts[p]), expected.counts[p], 1e-4 * static_cast<double>(length));
  }
  EXPECT_GT(refused, 20);
  EXPECT_GT(answered, 20);
}

TEST(SingleChain, LeavesForbiddenLabelsOutAndRefusesWhatItDoesNotBear) {
  SingleChain chain;
  ChainScores scores = random_chain(5, 10, 2, 3);
  scores.node(1)[4] = scores.node(4)[0] = kForbidden;
  expect_near_double(chain, scores, 1);
  std::vector<float> rows(scores.parts(), 0.0f), counts(rows.size());
  SoftValue found;
  EXPECT_TRUE(chain.solve(rows, 5, 10, 1, counts, found));
  rows.back() = -61;
  EXPECT_FALSE(chain.solve(rows, 5, 10, 1, counts, found));
  EXPECT_TRUE(chain.solve(rows, 5, 10, 2, counts, found));
  std::fill(rows.begin(), rows.end(), 0.0f);
  std::fill_n(rows.begin() + 10, 10, -1e30f);
  EXPECT_FALSE(chain.solve(rows, 5, 10, 1, counts, found));
}

TEST(SingleChain, KnowsTheOddsAgainstALabelAtItsPosition) {
  for (const std::size_t labels : {8u, 11u, 22u}) {
    const ChainScores scores = random_chain(6, labels, 3, labels);
    std::vector<float> nodes;
    for (std::size_t t = 0; t < 6; ++t) nodes.insert(nodes.end(), scores.node(t), scores.node(t) + labels);
    const std::vector<int> path = {0, 3, 7, 2, 5, 1};
    std::vector<float> odds(6);
    for (const double temperature : {0.5, 2.0}) {
      SingleChain::odds(nodes, path, labels, temperature, odds);
      for (std::size_t t = 0; t < 6; ++t) {
        double expected = 0;
        for (std::size_t k = 0; k < labels; ++k)
          if (k != static_cast<std::size_t>(path[t]))
            expected += std::exp((scores.node(t)[k] - scores.node(t)[path[t]]) / temperature);
        EXPECT_NEAR(static_cast<double>(odds[t]), expected, 1e-5 * (1 + expected));
      }
    }
  }
}

}  // namespace
}  // namespace hinge
