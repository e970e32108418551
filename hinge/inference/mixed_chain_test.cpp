#include "hinge/inference/mixed_chain.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "hinge/inference/enumeration.h"
#include "hinge/oracle/task.h"
#include "tests/support/chains.h"

namespace hinge {
namespace {

static_assert(HidingEngine<Chain>);

constexpr double kTemperatures[] = {0, 0.05, 0.4, 1, 3};

// Hides position t where bit t of the mask is set.
ChainScores hidden_chain(std::size_t length, std::size_t labels, double scale, std::uint64_t mask,
                         std::uint64_t seed) {
  ChainScores scores = random_chain(length, labels, scale, seed);
  for (std::size_t t = 0; t < length; ++t)
    if ((mask >> t) & 1) scores.hide(t);
  return scores;
}

void expect_enumeration(const ChainScores& scores, double output, double latent, const char* what) {
  Chain chain;
  ChainCounts counts;
  Enumeration<Chain> reference(chain, scores);
  const double expected = reference.solve(scores, output, latent);
  const double value = chain.solve(scores, output, latent, counts);
  const std::string where = fmt::format("{} at temperatures {}, {}", what, output, latent);
  ASSERT_NEAR(value, expected, 1e-12 * (1 + std::abs(expected))) << where;
  for (std::uint64_t seed = 90; seed < 93; ++seed) {
    const ChainScores other = random_chain(scores.length(), scores.labels(), 1, seed);
    EXPECT_NEAR(total(counts, other), reference.mean(other), 1e-11) << where;
  }
}

TEST(MixedChain, EqualsEnumeration) {
  for (std::uint64_t mask = 0; mask < 32; ++mask)
    for (double output : kTemperatures)
      for (double latent : kTemperatures)
        expect_enumeration(hidden_chain(5, 3, 1.5, mask, mask), output, latent, "five positions");
  for (std::size_t labels : {1u, 2u, 5u})
    for (std::uint64_t mask : {0b0110u, 0b1001u, 0b0001u, 0b1000u, 0b1111u})
      expect_enumeration(hidden_chain(4, labels, 0.3, mask, labels), 0.5, 1, "other numbers of labels");
  for (std::uint64_t mask : {0u, 1u})
    expect_enumeration(hidden_chain(1, 3, 1, mask, 1), 0, 1, "one position");
}

TEST(MixedChain, EqualsEnumerationWhereThingsAreForbidden) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    ChainScores scores = hidden_chain(5, 3, 2, seed + 4, seed);
    Random random(seed);
    for (std::size_t t = 0; t < 5; ++t) scores.node(t)[random.below(3)] = kForbidden;
    const auto expect_at_all_temperatures = [&](const char* what) {
      for (double output : {0.0, 0.3, 1.0})
        for (double latent : {0.0, 0.3, 1.0}) expect_enumeration(scores, output, latent, what);
    };
    expect_at_all_temperatures("nodes");
    scores.edge(random.below(3))[random.below(3)] = kForbidden;
    expect_at_all_temperatures("nodes and a pair");
  }
}

// Pair scores too far apart for products of exponentials.
TEST(MixedChain, EqualsEnumerationAtExtremeScores) {
  for (std::uint64_t mask = 1; mask < 31; ++mask) {
    ChainScores scores = hidden_chain(5, 3, 1, mask, 3);
    scores.node(0)[0] += 900;
    for (std::size_t b = 0; b < 3; ++b) scores.edge(0)[b] -= 2000;
    for (double output : {0.0, 0.5})
      for (double latent : {0.0, 1.0}) expect_enumeration(scores, output, latent, "extreme");
  }
}

TEST(MixedChain, EverythingForbiddenIsMinusInfinity) {
  for (std::uint64_t mask : {0b001u, 0b010u, 0b101u}) {
    ChainScores scores = hidden_chain(3, 2, 1, mask, 1);
    scores.node(1)[0] = scores.node(1)[1] = kForbidden;
    Chain chain;
    ChainCounts counts;
    EXPECT_EQ(chain.solve(scores, 0, 1, counts), kForbidden);
    EXPECT_EQ(chain.solve(scores, 0.5, 1, counts), kForbidden);
    EXPECT_EQ(total(counts, random_chain(3, 2, 1, 2)), 0);
  }
}

// After a maximum over outputs the structure is its winner, each hidden position at its most probable label.
TEST(MixedChain, TheWinnerIsTheMarginalMap) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const ChainScores scores = hidden_chain(6, 3, 1, seed * 7 % 64, seed);
    Chain chain;
    ChainCounts counts;
    const double value = chain.solve(scores, 0, 1, counts);
    const Path winner = Chain::outputs(scores, counts.structure());
    double sum = 0;
    Chain::for_each_structure(scores, [&](const Path& path) {
      if (Chain::outputs(scores, path) == winner) sum += std::exp(scores.of(path));
    });
    EXPECT_NEAR(std::log(sum), value, 1e-12 * (1 + std::abs(value)));
    for (std::size_t t = 0; scores.hidden() > 0 && t < 6; ++t)
      EXPECT_EQ(counts.structure()[t], static_cast<int>(arg_max({counts.node(t), 3})));
  }
}

TEST(MixedChain, CountsAreTheGradient) {
  const ChainScores scores = hidden_chain(7, 4, 1, 0b0110101, 5), direction = random_chain(7, 4, 1, 6);
  Chain chain;
  ChainCounts counts;
  for (double output : {0.0, 0.3, 2.0})
    for (double latent : {0.3, 1.0}) {
      const auto value_at = [&](double step) {
        ChainScores moved = scores;
        for (std::size_t t = 0; t < 7; ++t)
          for (std::size_t k = 0; k < 4; ++k) moved.node(t)[k] += step * direction.node(t)[k];
        for (std::size_t a = 0; a < 4; ++a)
          for (std::size_t b = 0; b < 4; ++b) moved.edge(a)[b] += step * direction.edge(a)[b];
        return chain.solve(moved, output, latent, counts);
      };
      // Two step sizes tell how large the error of a difference quotient is.
      const double h = 1e-4, coarse = (value_at(2 * h) - value_at(-2 * h)) / (4 * h),
                   fine = (value_at(h) - value_at(-h)) / (2 * h);
      value_at(0);
      EXPECT_NEAR(total(counts, direction), fine, std::abs(coarse - fine) + 1e-10);
    }
}

TEST(MixedChain, KeepsNothingBetweenCalls) {
  Chain used;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const ChainScores scores = hidden_chain(1 + seed % 6, 1 + seed % 5, 1, 11 * seed, seed);
    for (double output : {0.0, 0.5}) {
      ChainCounts counts, fresh_counts;
      Chain fresh;
      EXPECT_EQ(used.solve(scores, output, 1, counts), fresh.solve(scores, output, 1, fresh_counts));
    }
  }
}

}  // namespace
}  // namespace hinge
