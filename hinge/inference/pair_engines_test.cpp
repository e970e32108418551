// The engines on pairs of items against enumeration, and against slower ways of larger problems.
#include <gtest/gtest.h>

#include <cmath>

#include "hinge/core/random.h"
#include "hinge/inference/correlation_clustering.h"
#include "hinge/inference/enumeration.h"
#include "hinge/inference/pair_choices.h"
#include "hinge/inference/spanning_forest.h"

namespace hinge {
namespace {

template <class Engine>
typename Engine::Scores random_scores(std::size_t items, Random& random, int levels = 0) {
  typename Engine::Scores scores;
  scores.shape(items);
  scores.constant = random.normal();
  for (double& value : scores.values())
    value = levels == 0 ? random.normal() : static_cast<double>(random.below(2 * levels + 1)) - levels;
  return scores;
}

Partition random_partition(std::size_t items, Random& random) {
  Partition y(items);
  for (Index& cluster : y) cluster = static_cast<Index>(random.below(items));
  return renumbered(std::move(y));
}

// The value, the winner and the slope along other scores, of all structures and of one partition's.
template <class Engine>
void equals_enumeration(std::size_t most_items, const std::vector<double>& temperatures) {
  Random random(5);
  Engine engine;
  typename Engine::Counts counts;
  for (std::size_t items = 1; items <= most_items; ++items)
    for (int repeat = 0; repeat < 20; ++repeat) {
      auto scores = random_scores<Engine>(items, random);
      auto other = random_scores<Engine>(items, random);
      other.constant = 0;
      const Partition y = random_partition(items, random);
      for (const Partition* only : {static_cast<const Partition*>(nullptr), &y})
        for (double temperature : temperatures) {
          scores.only = only;
          Enumeration<Engine> all(engine, scores);
          const double value = engine.solve(scores, temperature, temperature, counts);
          ASSERT_NEAR(value, all.solve(scores, temperature), 1e-12 * static_cast<double>(items * items));
          double slope = 0;
          counts.for_each_use(
              [&](std::size_t pair, double amount) { slope += amount * other.values()[pair]; });
          ASSERT_NEAR(slope, all.mean(other), 1e-11 * static_cast<double>(items * items));
          if (temperature == 0) {
            ASSERT_NEAR(scores.of(counts.structure()), value, 1e-12 * static_cast<double>(items * items));
            ASSERT_EQ(counts.structure(), all.winner());
          }
          if (only != nullptr) {
            EXPECT_EQ(Engine::partition(items, counts.structure()), y);
            std::size_t links = 0;
            Engine::for_each_link(counts.structure(), [&](Index i, Index j) { links += y[i] == y[j]; });
            EXPECT_EQ(links, Engine::links(y));
            EXPECT_NE(scores.of(Engine::structure(y)), kForbidden);
          }
        }
    }
}

TEST(PairEngines, EqualEnumeration) {
  equals_enumeration<SpanningForest>(5, {0});
  equals_enumeration<CorrelationClustering>(7, {0});
  equals_enumeration<PairChoices>(4, {0, 0.3, 1});
}

TEST(PairEngines, SubtractsTheLabel) {
  Random random(7);
  const Partition y = {0, 1, 0, 0, 1};
  const auto check = [&]<class Engine>(Engine engine) {
    auto scores = random_scores<Engine>(y.size(), random);
    typename Engine::Counts counts;
    const double value = engine.solve(scores, 0, 0, counts);
    counts.subtract(Engine::structure(y));
    double difference = 0;
    counts.for_each_use(
        [&](std::size_t pair, double amount) { difference += amount * scores.values()[pair]; });
    EXPECT_NEAR(difference, value - scores.of(Engine::structure(y)), 1e-12);
  };
  check(SpanningForest());
  check(CorrelationClustering());
  check(PairChoices());
}

TEST(PairEngines, CountStructures) {
  for (std::size_t items = 0; items <= 5; ++items) {
    SpanningForest::Scores scores;
    scores.shape(items);
    CorrelationClustering::Scores others;
    others.shape(items);
    double forests = 0, partitions = 0;
    SpanningForest::for_each_structure(scores, [&](const Forest&) { ++forests; });
    CorrelationClustering::for_each_structure(others, [&](const Partition&) { ++partitions; });
    EXPECT_EQ(forests, SpanningForest::structures(scores));
    EXPECT_EQ(partitions, CorrelationClustering::structures(others));
  }
}

// Kruskal's algorithm as it is usually written.
Forest kruskal(const SpanningForest::Scores& scores) {
  Forest links;
  for (Index j = 1; j < scores.items(); ++j)
    for (Index i = 0; i < j; ++i) links.push_back({i, j});
  std::ranges::sort(links, [&](const ItemLink& a, const ItemLink& b) {
    return std::tuple(-scores.value(a), a.second - a.first, a.first) <
           std::tuple(-scores.value(b), b.second - b.first, b.first);
  });
  DisjointSets trees(scores.items());
  std::erase_if(links, [&](const ItemLink& link) {
    const bool allowed = scores.only != nullptr ? (*scores.only)[link.first] == (*scores.only)[link.second]
                                                : scores.value(link) > 0;
    return !allowed || !trees.join(link.first, link.second);
  });
  std::ranges::sort(links, [](const ItemLink& a, const ItemLink& b) {
    return std::pair(a.second, a.first) < std::pair(b.second, b.first);
  });
  return links;
}

TEST(SpanningForest, IsKruskalsWithManyEqualValues) {
  Random random(3);
  SpanningForest engine;
  SpanningForest::Counts counts;
  for (int repeat = 0; repeat < 100; ++repeat) {
    auto scores = random_scores<SpanningForest>(2 + random.below(40), random, 1 + repeat % 3);
    const Partition y = random_partition(scores.items(), random);
    for (const Partition* only : {static_cast<const Partition*>(nullptr), &y}) {
      scores.only = only;
      engine.solve(scores, 0, 0, counts);
      EXPECT_EQ(counts.structure(), kruskal(scores));
    }
  }
}

TEST(SpanningForest, IsAChainInOrderWhereAllIsEqual) {
  const Partition y = {0, 1, 0, 2, 1, 0, 0, 1};
  SpanningForest::Scores scores;
  scores.shape(y.size());
  std::ranges::fill(scores.values(), 0.0);
  scores.only = &y;
  SpanningForest engine;
  SpanningForest::Counts counts;
  engine.solve(scores, 0, 0, counts);
  EXPECT_EQ(counts.structure(), SpanningForest::structure(y));
  EXPECT_EQ(counts.structure(), (Forest{{0, 2}, {1, 4}, {2, 5}, {5, 6}, {4, 7}}));
}

TEST(CorrelationClustering, SaysWhenItIsNotExact) {
  Random random(11);
  CorrelationClustering engine;
  CorrelationClustering::Counts counts;
  // Blocks of 10 that repel each other: every component is small.
  CorrelationClustering::Scores blocks = random_scores<CorrelationClustering>(40, random);
  for (std::size_t j = 1; j < 40; ++j)
    for (std::size_t i = 0; i < j; ++i)
      if (i / 10 != j / 10) blocks.row(j)[i] = -0.1;
  const double value = engine.solve(blocks, 0, 0, counts);
  EXPECT_TRUE(engine.answer().exact);
  double alone = blocks.constant;
  for (std::size_t block = 0; block < 4; ++block) {
    CorrelationClustering::Scores part;
    part.shape(10);
    for (std::size_t j = 1; j < 10; ++j)
      for (std::size_t i = 0; i < j; ++i) part.row(j)[i] = blocks.row(10 * block + j)[10 * block + i];
    alone += engine.solve(part, 0, 0, counts);
  }
  EXPECT_NEAR(value, alone, 1e-10);

  const auto large = random_scores<CorrelationClustering>(40, random);
  engine.solve(large, 0, 0, counts);
  EXPECT_FALSE(engine.answer().exact);
  EXPECT_EQ(CorrelationClustering::ways[engine.answer().way], std::string("greedy"));
}

// Greedy answers are partitions that no move of an item improves, and find clusters that are plain.
TEST(CorrelationClustering, GreedyIsLocallyBest) {
  Random random(13);
  CorrelationClustering engine;
  CorrelationClustering::Counts counts;
  for (int repeat = 0; repeat < 10; ++repeat) {
    const auto scores = random_scores<CorrelationClustering>(30, random);
    const double value = engine.solve(scores, 0, 0, counts);
    ASSERT_NEAR(value, scores.of(counts.structure()), 1e-10);
    for (Index i = 0; i < 30; ++i)
      for (Index cluster = 0; cluster < 30; ++cluster) {
        Partition moved = counts.structure();
        moved[i] = cluster;
        EXPECT_LE(scores.of(moved), value + 1e-10);
      }
  }
  const Partition planted = random_partition(60, random);
  CorrelationClustering::Scores plain;
  plain.shape(60);
  for (std::size_t j = 1; j < 60; ++j)
    for (std::size_t i = 0; i < j; ++i)
      plain.row(j)[i] = (planted[i] == planted[j] ? 1 : -1) + 0.3 * random.normal();
  plain.row(59)[0] = 5;  // one component
  engine.solve(plain, 0, 0, counts);
  Partition found = counts.structure();
  std::size_t wrong = 0;
  for (std::size_t j = 1; j < 59; ++j)
    for (std::size_t i = 1; i < j; ++i) wrong += (found[i] == found[j]) != (planted[i] == planted[j]);
  EXPECT_LE(wrong, 40u);
}

TEST(Partitions, AreNumberedByTheirFirstItems) {
  EXPECT_EQ(renumbered({3, 1, 3, 0}), (Partition{0, 1, 0, 2}));
  EXPECT_EQ(cluster_count({0, 1, 0, 2}), 3u);
  EXPECT_EQ(pairs_together({0, 1, 0, 0}), 3u);
  EXPECT_EQ(cluster_count({}), 0u);
}

}  // namespace
}  // namespace hinge
