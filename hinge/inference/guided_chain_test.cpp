#include "hinge/inference/guided_chain.h"

#include <gtest/gtest.h>

#include <set>

#include "hinge/inference/enumeration.h"
#include "hinge/oracle/task.h"
#include "tests/support/chains.h"
#include "tests/support/knowledge.h"

namespace hinge {
namespace {

static_assert(Engine<GuidedChain> && Enumerable<GuidedChain>);

GuidedScores guided(const ChainScores& base, const Knowledge& knowledge, double scale, std::uint64_t seed) {
  GuidedScores scores;
  scores.base = base;
  scores.guide(knowledge.shared, knowledge.examples[0]);
  Random random(seed);
  for (double& gain : scores.gains()) gain = scale * random.normal();
  return scores;
}

double total_guided(const GuidedCounts& counts, const GuidedScores& scores) {
  double sum = total(counts, scores.base);
  for (std::size_t k = 0; k < counts.phi().size(); ++k) sum += counts.phi()[k] * scores.gains()[k];
  return sum;
}

void expect_enumeration(const GuidedScores& scores, const Knowledge& knowledge, double temperature,
                        const std::string& what, std::size_t beam = 50, std::size_t states = 1000) {
  GuidedChain engine;
  engine.settings = {states, beam};
  GuidedCounts counts;
  Enumeration<GuidedChain> reference(engine, scores);
  const double expected = reference.solve(scores, temperature);
  const double value = engine.solve(scores, temperature, temperature, counts);
  ASSERT_NEAR(value, expected, 1e-12 * (1 + std::abs(expected))) << what;
  EXPECT_TRUE(engine.answer().exact) << what;
  if (temperature == 0) {
    EXPECT_NEAR(scores.of(counts.structure()), value, 1e-12 * (1 + std::abs(value)));
  }
  const std::size_t T = scores.base.length(), K = scores.base.labels();
  for (std::uint64_t seed = 90; seed < 93; ++seed) {
    const GuidedScores other = guided(random_chain(T, K, 1, seed), knowledge, 1, seed);
    EXPECT_NEAR(total_guided(counts, other), reference.mean(other), 1e-11)
        << what << " at temperature " << temperature;
  }
}

TEST(GuidedChain, EqualsEnumeration) {
  for (std::uint64_t seed = 0; seed < 12; ++seed)
    for (std::size_t labels : {1u, 2u, 3u})
      for (std::size_t length : {1u, 2u, 5u})
        for (std::size_t wholes : {0u, 1u, 3u})
          for (double temperature : {0.0, 0.01, 0.5, 1.0, 4.0}) {
            const Knowledge knowledge = random_knowledge({length}, labels, wholes, seed);
            const GuidedScores scores =
                guided(random_chain(length, labels, 2, seed + 40), knowledge, 1.5, seed);
            expect_enumeration(
                scores, knowledge, temperature,
                fmt::format("seed {}, {} labels, length {}, {} automata", seed, labels, length, wholes));
          }
}

TEST(GuidedChain, ExcludesWhatLacksARequiredFeature) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Knowledge knowledge = random_knowledge({5}, 3, seed % 3, seed);
    GuidedScores scores = guided(random_chain(5, 3, 2, seed + 40), knowledge, 1.5, seed);
    Random random(seed + 7);
    for (std::size_t k = 0; k < scores.gains().size(); ++k)
      if (random.below(3) == 0) scores.require(k);
    GuidedChain engine;
    GuidedCounts counts;
    if (Enumeration<GuidedChain>(engine, scores).solve(scores, 0) == kForbidden) {
      EXPECT_EQ(engine.solve(scores, 0, 0, counts), kForbidden) << seed;
      EXPECT_EQ(engine.solve(scores, 1, 1, counts), kForbidden) << seed;
    } else {
      for (double temperature : {0.0, 0.3, 1.0})
        expect_enumeration(scores, knowledge, temperature, fmt::format("required, seed {}", seed));
    }
  }
}

TEST(GuidedChain, EqualsEnumerationAtExtremeScores) {
  const Knowledge knowledge = random_knowledge({4}, 3, 1, 3);
  ChainScores base = random_chain(4, 3, 1, 3);
  base.node(0)[0] += 900;
  for (std::size_t b = 0; b < 3; ++b) base.edge(0)[b] -= 2000;
  for (double temperature : {0.0, 0.5, 1.0})
    expect_enumeration(guided(base, knowledge, 1, 5), knowledge, temperature, "extreme");
}

// No pair of label and states is dropped by a beam that is wide enough, so that the answer is exact and says
// so; a narrow one answers with a labelling that is there, never above the maximum.
TEST(GuidedChain, AWideBeamIsExactAndANarrowOneSaysSo) {
  std::size_t missed = 0, approximate = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Knowledge knowledge = random_knowledge({6}, 3, 3, seed);
    const GuidedScores scores = guided(random_chain(6, 3, 1, seed + 40), knowledge, 3, seed);
    for (double temperature : {0.0, 1.0})
      expect_enumeration(scores, knowledge, temperature, "wide beam", 100000, 0);
    GuidedChain engine;
    engine.settings = {0, 2};
    GuidedCounts counts;
    EXPECT_TRUE(engine.may_approximate(scores, 0, 0));
    const double best = Enumeration<GuidedChain>(engine, scores).solve(scores, 0);
    const double found = engine.solve(scores, 0, 0, counts);
    EXPECT_EQ(engine.answer().way, 2u);
    EXPECT_NEAR(scores.of(counts.structure()), found, 1e-12);
    EXPECT_LE(found, best + 1e-12);
    missed += found < best - 1e-9;
    approximate += !engine.answer().exact;
    EXPECT_TRUE(found >= best - 1e-9 || !engine.answer().exact);
    EXPECT_LE(engine.solve(scores, 1, 1, counts),
              Enumeration<GuidedChain>(engine, scores).solve(scores, 1) + 1e-12);
  }
  EXPECT_GT(missed, 0u);  // else the beam was not narrow
  EXPECT_GT(approximate, 0u);
}

// All labellings in the order of their scores; with a narrow beam some of them, in order, with their scores.
TEST(GuidedChain, FindsTheBestLabellings) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const std::size_t length = 1 + seed % 5;
    const Knowledge knowledge = random_knowledge({length}, 3, seed % 3, seed);
    GuidedScores scores = guided(random_chain(length, 3, 1, seed + 40), knowledge, 2, seed);
    if (seed % 4 == 3) scores.require(0);
    std::vector<double> expected;
    GuidedChain::for_each_structure(scores, [&](const Path& path) {
      if (const double score = scores.of(path); score != kForbidden) expected.push_back(score);
    });
    std::ranges::sort(expected, std::greater<>());
    GuidedChain engine;
    for (const std::size_t beam : {std::size_t{0}, std::size_t{3}}) {
      if (beam > 0) engine.settings = {0, beam};
      const auto found = engine.top(scores, 12);
      if (beam == 0) {
        ASSERT_EQ(found.size(), std::min<std::size_t>(12, expected.size())) << seed;
      }
      std::set<Path> different;
      for (std::size_t k = 0; k < found.size(); ++k) {
        EXPECT_NEAR(scores.of(found[k].first), found[k].second, 1e-10);
        if (beam == 0) {
          EXPECT_NEAR(found[k].second, expected[k], 1e-10) << seed << " " << k;
        }
        EXPECT_TRUE(different.insert(found[k].first).second);
        if (k > 0) {
          EXPECT_LE(found[k].second, found[k - 1].second + 1e-12);
        }
      }
    }
  }
}

TEST(GuidedChain, SubtractsAPath) {
  const Knowledge knowledge = random_knowledge({6}, 4, 2, 5);
  const GuidedScores scores = guided(random_chain(6, 4, 1, 5), knowledge, 1, 5),
                     other = guided(random_chain(6, 4, 1, 6), knowledge, 1, 6);
  const Path path = {0, 3, 1, 1, 2, 0};
  for (double temperature : {0.0, 0.7}) {
    GuidedChain engine;
    GuidedCounts counts;
    engine.solve(scores, temperature, temperature, counts);
    const double before = total_guided(counts, other);
    counts.subtract(path);
    EXPECT_NEAR(total_guided(counts, other), before - other.of(path), 1e-12);
  }
}

}  // namespace
}  // namespace hinge
