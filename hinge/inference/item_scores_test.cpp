// Every engine that chooses among scored items against enumeration.
#include "hinge/inference/item_scores.h"

#include <gtest/gtest.h>

#include "hinge/core/random.h"
#include "hinge/inference/comparisons.h"
#include "hinge/inference/enumeration.h"
#include "hinge/inference/interleaving.h"
#include "hinge/inference/subset.h"
#include "hinge/inference/top_k.h"
#include "hinge/oracle/task.h"

namespace hinge {
namespace {

static_assert(Engine<TopK> && Engine<Subset> && Engine<Comparisons> && Engine<Interleaving>);
static_assert(Enumerable<TopK> && !Enumerable<FirstPlace>);

struct Shape {
  std::vector<Index> level, tier;
  std::vector<double> position;
};

ItemScores random_scores(std::size_t items, const Shape& shape, Random& random, double scale) {
  ItemScores scores;
  scores.reset(items);
  for (double& f : scores.value) f = scale * random.normal();
  scores.constant = random.normal();
  scores.cost_weight = random.uniform();
  scores.level = shape.level;
  scores.position = shape.position;
  scores.tier = shape.tier;
  return scores;
}

std::vector<Index> random_levels(std::size_t items, std::size_t levels, Random& random) {
  std::vector<Index> result(items);
  for (Index& l : result) l = static_cast<Index>(random.below(levels));
  return result;
}

// The value, and the slope along other scores, at every temperature.
template <class E>
void expect_equals_enumeration(const ItemScores& scores, Random& random, std::vector<double> temperatures) {
  E engine;
  ItemCounts counts;
  Enumeration<E> reference(engine, scores);
  ItemScores other = scores;
  other.constant = other.cost_weight = 0;
  for (double& f : other.value) f = random.normal();
  for (double temperature : temperatures) {
    double size = 1 + std::abs(scores.constant);
    for (double f : scores.value) size += std::abs(f) * static_cast<double>(scores.value.size());
    const double value = engine.solve(scores, temperature, 0, counts);
    EXPECT_NEAR(value, reference.solve(scores, temperature), 1e-13 * size);
    if (temperature == 0) {
      EXPECT_NEAR(scores.of(counts.structure()), value, 1e-13 * size);
    }
    const double amplified = temperature == 0 ? 1 : 1 + size / temperature;
    EXPECT_NEAR(dot(counts.amounts(), other.value), reference.mean(other), 1e-13 * size * amplified);
  }
}

TEST(TopK, EqualsEnumeration) {
  Random random(1);
  const std::vector<std::vector<double>> positions = {
      {}, {1}, {0.5, 0.5}, {0.2, 0.2, 0.2}, {1, 0.5}, {0.4, 0.4, 0.2, 0.1}, {0.25, 0.25, 0.25, 0.25}};
  for (const auto& position : positions)
    for (std::size_t items = position.size(); items <= 6; ++items)
      for (double scale : {1.0, 300.0})
        for (bool tiers : {false, true}) {
          Shape shape{{}, {}, position};
          if (tiers) shape.tier = random_levels(items, 3, random);
          const ItemScores scores = random_scores(items, shape, random, scale);
          if (TopK::level_positions(position))
            expect_equals_enumeration<TopK>(scores, random, {0, 0.3, 1, 20});
          else
            expect_equals_enumeration<TopK>(scores, random, {0});
          if (!tiers) {
            EXPECT_EQ(static_cast<double>(Enumeration<TopK>(TopK(), scores).structures().size()),
                      TopK::structures(scores));
          }
        }
}

TEST(TopK, GivesPlacesOfEqualScoresToTheFirst) {
  const Shape shape{{}, {}, {0.5, 0.3}};
  ItemScores scores;
  scores.reset(3);
  scores.value = {1, 2, 2};
  scores.position = shape.position;
  ItemCounts counts;
  EXPECT_DOUBLE_EQ(TopK().solve(scores, 0, 0, counts), 1.6);
  EXPECT_EQ(counts.structure().amount, (std::vector<double>{0, 0.5, 0.3}));
}

TEST(Subset, EqualsEnumeration) {
  Random random(2);
  for (std::size_t items : {0u, 1u, 5u})
    for (double scale : {1.0, 300.0})
      expect_equals_enumeration<Subset>(random_scores(items, {}, random, scale), random, {0, 0.3, 1});
}

TEST(Comparisons, EqualsEnumeration) {
  Random random(3);
  for (std::size_t items = 0; items <= 5; ++items)
    for (std::size_t levels : {1u, 2u, 3u, 5u})
      for (double scale : {0.5, 30.0}) {
        const Shape shape{random_levels(items, levels, random), {}, {}};
        ItemScores scores = random_scores(items, shape, random, scale);
        expect_equals_enumeration<Comparisons>(scores, random, {0, 0.3, 1});
        EXPECT_EQ(static_cast<double>(Enumeration<Comparisons>({}, scores).structures().size()),
                  std::exp2(Comparisons::pairs(shape.level)));
      }
}

// Counting along sorted scores is the same as going through all pairs, also where scores are equal.
TEST(Comparisons, CountsManyPairs) {
  Random random(4);
  for (std::size_t items : {50u, 300u}) {
    const Shape shape{random_levels(items, 4, random), {}, {}};
    ItemScores scores = random_scores(items, shape, random, 1);
    for (double& f : scores.value) f = std::round(4 * f) / 4;
    scores.cost_weight = 1;
    scores.constant = 0;
    ItemCounts counts;
    const double value = Comparisons().solve(scores, 0, 0, counts);
    double sum = 0, wrong = 0;
    Vector amount(items);
    for (std::size_t i = 0; i < items; ++i)
      for (std::size_t j = 0; j < items; ++j) {
        if (shape.level[i] <= shape.level[j]) continue;
        const double right = scores.value[i] - scores.value[j];
        sum += std::max(right, 1.0);
        if (right >= 1)
          amount[i] += 1, amount[j] -= 1;
        else
          wrong += 1;
      }
    EXPECT_EQ(value, sum);  // quarters are exact
    EXPECT_EQ(counts.structure().amount, amount);
    EXPECT_EQ(counts.structure().cost, wrong);
  }
}

TEST(Interleaving, EqualsEnumeration) {
  Random random(5);
  for (std::size_t items = 0; items <= 6; ++items)
    for (int repeat = 0; repeat < 20; ++repeat)
      for (double scale : {0.0, 0.3, 1.0, 30.0}) {
        const Shape shape{random_levels(items, 2, random), {}, {}};
        ItemScores scores = random_scores(items, shape, random, scale);
        ItemCounts counts;
        Enumeration<Interleaving> reference({}, scores);
        const double value = Interleaving().solve(scores, 0, 0, counts);
        EXPECT_NEAR(value, reference.solve(scores, 0), 1e-13 * (1 + 10 * scale));
        EXPECT_NEAR(scores.of(counts.structure()), value, 1e-13 * (1 + 10 * scale));
        if (scale > 0) expect_equals_enumeration<Interleaving>(scores, random, {0});
      }
}

TEST(Interleaving, CostsOneMinusAveragePrecision) {
  const std::vector<Index> level = {1, 0, 1, 0}, ranking = {1, 0, 3, 2};  // bad good bad good
  ItemUse use{std::vector<double>(4), 0};
  Interleaving::use_of(level, ranking, use);
  EXPECT_DOUBLE_EQ(use.cost, 1 - (1.0 / 2 + 2.0 / 4) / 2);
  EXPECT_EQ(use.amount, (std::vector<double>{0, 0.5, -0.5, 0}));
  EXPECT_EQ(Interleaving::truth(level), (ItemUse{{0.5, -0.5, 0.5, -0.5}, 0}));
}

TEST(ItemScores, OneStructureAlone) {
  const ItemUse only{{0, 1, 0}, 2};
  ItemScores scores;
  scores.reset(3);
  scores.value = {1, 2, 3};
  scores.cost_weight = 10;
  scores.only = &only;
  ItemCounts counts;
  for (double temperature : {0.0, 1.0}) {
    EXPECT_EQ(Subset().solve(scores, temperature, 0, counts), 22);
    EXPECT_EQ(TopK().solve(scores, temperature, 0, counts), 22);
    EXPECT_EQ(Comparisons().solve(scores, temperature, 0, counts), 22);
    EXPECT_EQ(counts.structure(), only);
  }
  EXPECT_EQ(scores.of({{1, 0, 0}, 2}), kForbidden);
}

}  // namespace
}  // namespace hinge
