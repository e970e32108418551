#include "hinge/inference/forest.h"

#include <gtest/gtest.h>

#include <map>

#include "hinge/inference/engine.h"
#include "hinge/inference/enumeration.h"
#include "tests/support/allocations.h"

namespace hinge {
namespace {

static_assert(FlatEngine<ForestSweep> && CountingEngine<ForestSweep> && HidingEngine<ForestSweep>);

// Nodes with one to three edges, each to nodes before it or to none; parts are shared between edges.
ForestScores random_forest(std::size_t nodes, std::uint64_t seed) {
  Random random(seed);
  ForestScores scores;
  for (std::size_t n = 0; n < nodes; ++n) {
    scores.forest.add_node();
    for (std::size_t e = 0; e < 1 + random.below(3); ++e) {
      const auto child = [&] {
        return n == 0 || random.below(4) == 0 ? PackedForest::kNone : static_cast<Index>(random.below(n));
      };
      const Index left = child();
      scores.forest.add_edge(static_cast<Index>(random.below(2 * nodes)), left,
                             left == PackedForest::kNone ? left : child());
    }
  }
  scores.value.resize(2 * nodes);
  for (double& v : scores.value) v = random.normal();
  return scores;
}
ForestScores with_other_values(ForestScores scores, std::uint64_t seed) {
  Random random(seed);
  for (double& v : scores.value) v = random.normal();
  return scores;
}

// Hides some nodes and all below them.
void hide_some(ForestScores& scores, std::uint64_t seed) {
  Random random(seed);
  const PackedForest& forest = scores.forest;
  scores.hidden.assign(forest.nodes(), 0);
  for (std::size_t n = forest.nodes(); n-- > 0;) {
    if (random.below(3) == 0) scores.hidden[n] = 1;
    if (scores.hidden[n] == 0) continue;
    for (std::size_t e = forest.first_edge(n); e < forest.first_edge(n + 1); ++e)
      for (const Index child : {forest.edges()[e].left, forest.edges()[e].right})
        if (child != PackedForest::kNone) scores.hidden[child] = 1;
  }
}

std::vector<Derivation> derivations(const ForestScores& scores) {
  return Enumeration<ForestSweep>({}, scores).structures();
}

void expect_enumeration(const ForestScores& scores, std::initializer_list<double> output,
                        std::initializer_list<double> latent) {
  ForestSweep engine;
  ForestCounts counts;
  Enumeration<ForestSweep> reference(engine, scores);
  ASSERT_EQ(ForestSweep::structures(scores), static_cast<double>(reference.structures().size()));
  for (const double y : output)
    for (const double h : latent) {
      const double expected = reference.solve(scores, y, h);
      if (expected == kForbidden) {
        EXPECT_EQ(engine.solve(scores, y, h, counts), kForbidden);
        continue;
      }
      EXPECT_NEAR(engine.solve(scores, y, h, counts), expected, 1e-12 * (1 + std::abs(expected)));
      const ForestScores other = with_other_values(scores, 99);
      EXPECT_NEAR(dot(counts.amounts(), other.value), reference.mean(other), 1e-11) << y << ", " << h;
      if (y == 0 && h == 0) {
        EXPECT_NEAR(scores.of(counts.structure()), expected, 1e-12 * (1 + std::abs(expected)));
      }
      if (y == 0) {
        EXPECT_EQ(ForestSweep::outputs(scores, counts.structure()),
                  ForestSweep::outputs(scores, reference.winner()));
      }
    }
}

// Small enough to enumerate.
template <class F>
void for_each_small_forest(F&& f) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    ForestScores scores = random_forest(2 + seed % 7, seed);
    const double structures = ForestSweep::structures(scores);
    if (structures < 2 || structures > 500) continue;
    f(scores, seed);
    ++found;
  }
  ASSERT_GT(found, 100);
}

TEST(ForestSweep, EqualsEnumeration) {
  for_each_small_forest([](const ForestScores& scores, std::uint64_t) {
    for (const double temperature : {0.0, 0.3, 1.0, 4.0})
      expect_enumeration(scores, {temperature}, {temperature});
  });
}

TEST(ForestSweep, EqualsEnumerationWithHiddenNodesAtTwoTemperatures) {
  for_each_small_forest([](ForestScores scores, std::uint64_t seed) {
    hide_some(scores, seed);
    expect_enumeration(scores, {0.0, 0.5, 1.0}, {0.0, 0.5, 2.0});
  });
}

TEST(ForestSweep, EqualsEnumerationWhereSomethingIsForbidden) {
  int impossible = 0;
  for_each_small_forest([&](ForestScores scores, std::uint64_t seed) {
    Random random(seed);
    for (double& v : scores.value)
      if (random.below(4) == 0) v = kForbidden;
    ForestCounts counts;
    impossible += ForestSweep().solve(scores, 1, 1, counts) == kForbidden;
    for (const Derivation& s : derivations(scores))
      if (scores.of(s) != kForbidden) {
        // `of` and the counts of what is forbidden are not compared: 0 · −∞ is no number.
        ForestSweep engine;
        Enumeration<ForestSweep> reference(engine, scores);
        for (const double temperature : {0.0, 1.0})
          EXPECT_NEAR(engine.solve(scores, temperature, temperature, counts),
                      reference.solve(scores, temperature), 1e-11);
        const ForestScores other = with_other_values(scores, 7);
        EXPECT_NEAR(dot(counts.amounts(), other.value), reference.mean(other), 1e-11);
        break;
      }
  });
  EXPECT_GT(impossible, 10);
}

TEST(ForestSweep, ListsTheBestDerivations) {
  for_each_small_forest([](ForestScores scores, std::uint64_t seed) {
    if (seed % 3 == 0)
      for (double& v : scores.value) v = std::round(v);  // many are equal
    if (seed % 5 == 0) scores.value[0] = kForbidden;
    std::map<Derivation, double> all;
    Vector values;
    for (const Derivation& s : derivations(scores))
      if (scores.of(s) != kForbidden) {
        all[s] = scores.of(s);
        values.push_back(scores.of(s));
      }
    std::ranges::sort(values, std::greater());
    ForestSweep engine;
    for (const std::size_t k : {std::size_t{1}, std::size_t{5}, values.size() + 3}) {
      const auto top = engine.top(scores, k);
      ASSERT_EQ(top.size(), std::min(k, values.size()));
      std::map<Derivation, double> seen;
      for (std::size_t r = 0; r < top.size(); ++r) {
        EXPECT_NEAR(top[r].second, values[r], 1e-11);
        ASSERT_TRUE(all.contains(top[r].first));
        EXPECT_NEAR(top[r].second, all[top[r].first], 1e-11);
        EXPECT_TRUE(seen.emplace(top[r]).second) << "twice";
      }
      ForestCounts counts;
      if (top.empty()) continue;
      engine.solve(scores, 0, 0, counts);
      EXPECT_EQ(counts.structure(), top[0].first);
    }
  });
}

TEST(ForestSweep, DrawsDerivationsByTheirProbability) {
  const double temperature = 0.7;
  int compared = 0;
  for_each_small_forest([&](const ForestScores& scores, std::uint64_t seed) {
    if (seed % 20 != 0) return;
    ForestSweep engine;
    ForestCounts counts;
    const double value = engine.solve(scores, temperature, temperature, counts);
    Random random(seed);
    std::map<Derivation, int> drawn;
    const int draws = 4000;
    Derivation s;
    for (int k = 0; k < draws; ++k) engine.sample(scores, temperature, random, s), ++drawn[s];
    for (const auto& [derivation, times] : drawn) {
      const double p = std::exp((scores.of(derivation) - value) / temperature);
      // Five standard deviations: one in 1.7 million goes beyond.
      EXPECT_NEAR(times, draws * p, 5 * std::sqrt(draws * p * (1 - p)) + 1);
      ++compared;
    }
  });
  EXPECT_GT(compared, 50);
}

TEST(ForestSweep, SubtractsScalesAndTakesItsCountsBack) {
  const ForestScores scores = random_forest(8, 5);
  const ForestScores other = with_other_values(scores, 6);
  ForestSweep engine;
  ForestCounts counts;
  const Derivation s = derivations(scores).back();
  for (const double temperature : {0.0, 1.0}) {
    engine.solve(scores, temperature, temperature, counts);
    const double before = dot(counts.amounts(), other.value);
    counts.subtract(s);
    counts.scale(3);
    EXPECT_NEAR(dot(counts.amounts(), other.value), 3 * (before - other.of(s)), 1e-11);
  }
  engine.solve(scores, 1, 1, counts);
  Vector row(scores.parts());
  counts.get(row);
  ForestCounts again;
  again.set(scores, row);
  EXPECT_EQ(dot(again.amounts(), other.value), dot(counts.amounts(), other.value));
}

// Among all derivations none has more of its edges' probability.
TEST(ForestSweep, TheMostProbableEdgesAddUp) {
  for_each_small_forest([](const ForestScores& scores, std::uint64_t) {
    ForestSweep engine;
    ForestCounts counts;
    engine.solve(scores, 1, 1, counts);
    const auto amount = [&](const Derivation& s) {
      double sum = 0;
      for (const Index e : s) sum += counts.edge_amounts()[e];
      return sum;
    };
    const double best = amount(counts.most_probable());
    for (const Derivation& s : derivations(scores)) EXPECT_LE(amount(s), best + 1e-11);
  });
}

TEST(ForestSweep, ServesAForestWithoutDerivations) {
  ForestScores scores;
  ForestCounts counts;
  ForestSweep engine;
  EXPECT_EQ(engine.solve(scores, 1, 1, counts), kForbidden);
  EXPECT_TRUE(engine.top(scores, 3).empty());
  scores.forest.add_node();
  EXPECT_EQ(engine.solve(scores, 0, 0, counts), kForbidden);
  EXPECT_EQ(ForestSweep::structures(scores), 0);
}

// As deep as a long alignment: nothing recurses.
TEST(ForestSweep, ServesDeepDerivations) {
  constexpr Index length = 200'000;
  ForestScores scores;
  scores.value = {1, 0.5};
  for (Index n = 0; n < length; ++n) {
    scores.forest.add_node();
    for (const Index part : {0u, 1u}) scores.forest.add_edge(part, n == 0 ? PackedForest::kNone : n - 1);
  }
  ForestSweep engine;
  ForestCounts counts;
  EXPECT_EQ(engine.solve(scores, 0, 0, counts), length);
  EXPECT_NEAR(engine.solve(scores, 1, 1, counts), length * std::log(std::exp(1.0) + std::exp(0.5)),
              1e-9 * length);
  const auto top = engine.top(scores, 3);
  EXPECT_EQ(top[2].second, length - 0.5);
}

TEST(ForestSweep, AllocatesNothingTheSecondTime) {
  const ForestScores scores = random_forest(30, 3);
  ForestSweep engine;
  ForestCounts counts;
  Random random(1);
  Derivation s;
  const auto all = [&] {
    for (const double temperature : {0.0, 1.0}) {
      engine.solve(scores, temperature, temperature, counts);
      engine.sample(scores, 0, random, s);
    }
  };
  expect_no_allocations(all);
}

}  // namespace
}  // namespace hinge
