#include "hinge/inference/chain.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "hinge/core/errors.h"
#include "hinge/inference/enumeration.h"
#include "hinge/oracle/task.h"
#include "tests/support/chains.h"

namespace hinge {
namespace {

static_assert(Engine<Chain> && SlackEngine<Chain> && Enumerable<Chain>);

void expect_enumeration(const ChainScores& scores, double temperature, const char* what) {
  Chain chain;
  ChainCounts counts;
  Enumeration<Chain> reference(chain, scores);
  const double expected = reference.solve(scores, temperature);
  const double value = chain.solve(scores, temperature, temperature, counts);
  ASSERT_NEAR(value, expected, 1e-12 * (1 + std::abs(expected))) << what;
  for (std::uint64_t seed = 90; seed < 93; ++seed) {
    const ChainScores other = random_chain(scores.length(), scores.labels(), 1, seed);
    EXPECT_NEAR(total(counts, other), reference.mean(other), 1e-11)
        << what << " at temperature " << temperature;
  }
}

TEST(Chain, EqualsEnumeration) {
  for (std::size_t labels : {1u, 2u, 3u, 5u})
    for (std::size_t length : {1u, 2u, 5u})
      for (double scale : {0.1, 3.0})
        for (double temperature : {0.0, 0.01, 0.5, 1.0, 4.0})
          expect_enumeration(random_chain(length, labels, scale, 7 * labels + length), temperature, "plain");
}

TEST(Chain, EqualsEnumerationWhereThingsAreForbidden) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    ChainScores scores = random_chain(5, 3, 2, seed);
    Random random(seed);
    for (std::size_t t = 0; t < 5; ++t) scores.node(t)[random.below(3)] = kForbidden;
    for (double temperature : {0.0, 0.3, 1.0}) expect_enumeration(scores, temperature, "nodes");
    scores.edge(random.below(3))[random.below(3)] = kForbidden;
    for (double temperature : {0.0, 0.3, 1.0}) expect_enumeration(scores, temperature, "nodes and a pair");
  }
}

// Pair scores so far apart that products of exponentials would underflow: the best path up to the middle is
// cut off there.
TEST(Chain, EqualsEnumerationAtExtremeScores) {
  ChainScores scores = random_chain(4, 3, 1, 3);
  scores.node(0)[0] += 900;
  for (std::size_t b = 0; b < 3; ++b) scores.edge(0)[b] -= 2000;
  for (double temperature : {0.0, 0.5, 1.0}) expect_enumeration(scores, temperature, "extreme");
}

TEST(Chain, EverythingForbiddenIsMinusInfinity) {
  ChainScores scores = random_chain(3, 2, 1, 1);
  scores.node(1)[0] = scores.node(1)[1] = kForbidden;
  Chain chain;
  ChainCounts counts;
  EXPECT_EQ(chain.solve(scores, 0, 0, counts), kForbidden);
  EXPECT_EQ(chain.solve(scores, 1, 1, counts), kForbidden);
}

TEST(Chain, SubtractsAPath) {
  const ChainScores scores = random_chain(6, 4, 1, 5), other = random_chain(6, 4, 1, 6);
  const Path path = {0, 3, 1, 1, 2, 0};
  for (double temperature : {0.0, 0.7}) {
    Chain chain;
    ChainCounts counts;
    chain.solve(scores, temperature, temperature, counts);
    const double before = total(counts, other);
    counts.subtract(path);
    EXPECT_NEAR(total(counts, other), before - other.of(path), 1e-12);
    counts.scale(3);
    EXPECT_NEAR(total(counts, other), 3 * (before - other.of(path)), 1e-12);
  }
}

// The same engine on other shapes and edges in between: nothing is left from before.
TEST(Chain, KeepsNothingBetweenCalls) {
  Chain used;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const ChainScores scores = random_chain(1 + seed % 5, 1 + seed % 4, 1, seed);
    for (double temperature : {1.0, 0.0, 0.5}) {
      ChainCounts counts, fresh_counts;
      Chain fresh;
      EXPECT_EQ(used.solve(scores, temperature, temperature, counts),
                fresh.solve(scores, temperature, temperature, fresh_counts));
    }
  }
}

TEST(Chain, SlackRescalingEqualsEnumeration) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const ChainScores scores = random_chain(5, 3, 1.5, seed);
    ChainScores losses = scores;
    losses.clear();
    Path truth;
    Random random(seed);
    for (std::size_t t = 0; t < 5; ++t) {
      truth.push_back(static_cast<int>(random.below(3)));
      for (std::size_t k = 0; k < 3; ++k) losses.node(t)[k] = static_cast<int>(k) == truth[t] ? 0 : 0.2;
    }
    Chain chain;
    ChainCounts counts;
    Enumeration<Chain> reference(chain, scores);
    const double expected = reference.solve_slack(scores, losses, scores.of(truth));
    EXPECT_NEAR(chain.solve_slack(scores, losses, scores.of(truth), counts), expected, 1e-12);
    const Path& winner = counts.structure();
    EXPECT_NEAR(losses.of(winner) * (1 + scores.of(winner) - scores.of(truth)), expected, 1e-12);
  }
}

// Losses of 0, 1 and 2 units on other labels, shapes that change from call to call.
TEST(Chain, SlackRescalingKeepsNothingBetweenCalls) {
  Chain used;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const ChainScores scores = random_chain(1 + seed * 5 % 6, 1 + seed % 4, 1.5, seed);
    ChainScores losses = scores;
    losses.clear();
    Random random(seed);
    for (std::size_t t = 0; t < scores.length(); ++t)
      for (std::size_t k = 1; k < scores.labels(); ++k)
        losses.node(t)[k] = 0.5 * static_cast<double>(random.below(3));
    ChainCounts counts;
    Enumeration<Chain> reference(used, scores);
    EXPECT_NEAR(used.solve_slack(scores, losses, 0.3, counts), reference.solve_slack(scores, losses, 0.3),
                1e-12);
  }
}

// Levels of the loss would be counted wrongly.
TEST(Chain, SlackRescalingRefusesLossesThatAreNoMultiples) {
  const ChainScores scores = random_chain(2, 2, 1, 1);
  ChainScores losses = scores;
  losses.clear();
  losses.node(0)[0] = 1;
  losses.node(1)[0] = 1.5;
  ChainCounts counts;
  EXPECT_THROW(Chain().solve_slack(scores, losses, 0, counts), InputError);
}

TEST(Chain, TopPathsAreTheBestOfAll) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const ChainScores scores = random_chain(4, 3, 1, seed);
    std::vector<double> all;
    Chain::for_each_structure(scores, [&](const Path& path) { all.push_back(scores.of(path)); });
    std::ranges::sort(all, std::greater());
    const auto top = Chain().top(scores, 100);
    ASSERT_EQ(top.size(), all.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
      EXPECT_NEAR(top[k].second, all[k], 1e-12);
      EXPECT_NEAR(scores.of(top[k].first), all[k], 1e-12);
    }
  }
}

}  // namespace
}  // namespace hinge
