#include "hinge/inference/grouped_choices.h"

#include <gtest/gtest.h>

#include "hinge/core/random.h"
#include "hinge/inference/enumeration.h"
#include "hinge/oracle/task.h"

namespace hinge {
namespace {

static_assert(Engine<GroupedChoices> && HidingEngine<GroupedChoices>);

struct Item {
  std::size_t options, groups;
};

// Options of a group stand apart; a group may be empty.
GroupedScores random_choices(const std::vector<Item>& items, std::uint64_t seed) {
  Random random(seed);
  GroupedScores scores;
  for (std::size_t i = 0; i < items.size(); ++i) {
    scores.add_item(items[i].options, items[i].groups);
    for (double& v : scores.values(i)) v = 2 * random.normal();
    for (Index& g : scores.groups(i)) g = static_cast<Index>(random.below(items[i].groups));
    for (double& v : scores.offsets(i)) v = random.normal();
  }
  return scores;
}

// Of scores with offsets of 0.
double total(const GroupedCounts& counts, const GroupedScores& scores) {
  double sum = 0;
  counts.for_each_use(
      [&](std::size_t i, std::size_t k, double amount) { sum += amount * scores.values(i)[k]; });
  return sum;
}

GroupedScores without_offsets(GroupedScores scores) {
  for (std::size_t i = 0; i < scores.items(); ++i) scores.regroup(i, scores.offsets(i).size());
  return scores;
}

void expect_enumeration(GroupedChoices& engine, const std::vector<Item>& items, const GroupedScores& scores) {
  GroupedCounts counts;
  Enumeration<GroupedChoices> reference(engine, scores);
  const GroupedScores other = without_offsets(random_choices(items, 77));
  for (double output : {0.0, 0.3, 1.0, 2.0})
    for (double latent : {0.0, 0.3, 1.0, 2.0}) {
      const double expected = reference.solve(scores, output, latent);
      EXPECT_NEAR(engine.solve(scores, output, latent, counts), expected, 1e-12 * (1 + std::abs(expected)));
      EXPECT_NEAR(total(counts, other), reference.mean(other), 1e-11) << output << ", " << latent;
      if (output == 0 && latent == 0) {
        EXPECT_EQ(counts.structure(), reference.winner());
      }
    }
}

TEST(GroupedChoices, EqualsEnumeration) {
  GroupedChoices engine;  // one for all: nothing of an earlier shape may remain
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    for (const std::vector<Item>& items :
         {std::vector<Item>{{1, 1}}, {{9, 2}}, {{5, 3}, {1, 1}, {4, 4}}, {{3, 1}, {7, 5}, {2, 2}}})
      expect_enumeration(engine, items, random_choices(items, seed));
}

TEST(GroupedChoices, EqualsEnumerationWhereOptionsAndGroupsAreForbidden) {
  const std::vector<Item> items = {{5, 3}, {6, 2}};
  GroupedScores scores = random_choices(items, 3);
  scores.values(0)[2] = kForbidden;
  for (std::size_t k : {0u, 3u, 5u}) scores.values(1)[k] = kForbidden;
  GroupedChoices engine;
  expect_enumeration(engine, items, scores);
  scores.offsets(0)[1] = kForbidden;
  std::ranges::fill(scores.groups(1), Index{1});
  expect_enumeration(engine, items, scores);
}

TEST(GroupedChoices, EqualsEnumerationAfterRegrouping) {
  const std::vector<Item> items = {{5, 3}, {4, 2}};
  GroupedScores scores = random_choices(items, 5);
  scores.regroup(0, 5);
  for (Index k = 0; k < 5; ++k) scores.groups(0)[k] = 4 - k;
  scores.regroup(1, 1);
  std::ranges::fill(scores.groups(1), Index{0});
  EXPECT_EQ(scores.offsets(0).size(), 5u);
  EXPECT_EQ(scores.offsets(0)[2], 0);
  GroupedChoices engine;
  expect_enumeration(engine, items, scores);
}

TEST(GroupedChoices, ForbiddingEverythingIsSeen) {
  GroupedScores scores = random_choices({{3, 2}, {2, 1}}, 1);
  std::ranges::fill(scores.values(1), kForbidden);
  GroupedChoices engine;
  GroupedCounts counts;
  for (double output : {0.0, 1.0})
    for (double latent : {0.0, 1.0}) EXPECT_EQ(engine.solve(scores, output, latent, counts), kForbidden);
}

// The group that wins by its sum, with the best option it has, which need not be the best of all.
TEST(GroupedChoices, TheWinnerIsTheBestGroup) {
  GroupedScores scores;
  scores.add_item(4, 2);
  const double values[] = {1.5, 1.0, 1.25, 1.0};
  std::ranges::copy(values, scores.values(0).begin());
  for (std::size_t k = 1; k < 4; ++k) scores.groups(0)[k] = 1;
  GroupedChoices engine;
  GroupedCounts counts;
  engine.solve(scores, 0, 0, counts);
  EXPECT_EQ(counts.structure(), Choices{0});
  for (double output : {0.0, 1.0}) {
    engine.solve(scores, output, 1, counts);
    EXPECT_EQ(counts.structure(), Choices{2});
    EXPECT_EQ(counts.most_probable(), Choices{2});
    EXPECT_NEAR(counts.group_values(0)[1], std::log(2 * std::exp(1) + std::exp(1.25)), 1e-14);
    EXPECT_GT(counts.group_amounts(0)[1], 0.5);
  }
}

TEST(GroupedChoices, SubtractionTakesAStructureAway) {
  const std::vector<Item> items = {{5, 3}, {4, 2}};
  const GroupedScores scores = random_choices(items, 8), other = without_offsets(random_choices(items, 9));
  GroupedChoices engine;
  GroupedCounts counts;
  for (double temperature : {0.0, 1.0}) {
    for (const Choices& s : {Choices{4, 0}, Choices{0, 3}}) {
      engine.solve(scores, temperature, temperature, counts);
      const double before = total(counts, other);
      counts.subtract(s);
      EXPECT_NEAR(total(counts, other), before - other.of(s), 1e-12);
    }
    engine.solve(scores, 0, 0, counts);
    counts.subtract(Choices(counts.structure()));
    counts.for_each_use([](std::size_t, std::size_t, double) { ADD_FAILURE() << "nothing is left"; });
  }
}

}  // namespace
}  // namespace hinge
