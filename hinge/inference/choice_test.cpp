#include "hinge/inference/choice.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hinge/core/random.h"
#include "hinge/inference/enumeration.h"
#include "hinge/oracle/task.h"

namespace hinge {
namespace {

static_assert(Engine<Choice> && SlackEngine<Choice> && Enumerable<Choice>);

Choice::Scores random_scores(std::size_t states, Random& random) {
  Choice::Scores scores;
  for (std::size_t s = 0; s < states; ++s) scores.value.push_back(3 * random.normal());
  return scores;
}

double mean(const Choice::Counts& counts, const Choice::Scores& other) {
  double sum = 0;
  if (counts.soft())
    for (std::size_t s = 0; s < other.value.size(); ++s) sum += counts.amounts()[s] * other.value[s];
  else
    for (const auto& [s, amount] : counts.uses()) sum += amount * other.of(s);
  return sum;
}

TEST(Choice, EqualsEnumeration) {
  Random random(1);
  const Choice engine;
  Choice::Counts counts;
  for (std::size_t states : {1, 2, 3, 20, 101}) {
    for (double temperature : {0.0, 0.3, 1.0}) {
      auto scores = random_scores(states, random);
      if (states > 2) scores.value[1] = kForbidden;
      const auto other = random_scores(states, random);
      Enumeration<Choice> reference(engine, scores);
      EXPECT_NEAR(engine.solve(scores, temperature, 1, counts), reference.solve(scores, temperature), 1e-13);
      EXPECT_NEAR(mean(counts, other), reference.mean(other), 1e-13);
      EXPECT_EQ(counts.soft(), temperature > 0);
      if (temperature == 0) {
        EXPECT_EQ(counts.structure(), reference.winner());
      }
    }
  }
}

TEST(Choice, SlackEqualsEnumeration) {
  Random random(2);
  const Choice engine;
  Choice::Counts counts;
  for (int repeat = 0; repeat < 50; ++repeat) {
    const std::size_t states = 1 + random.below(20);
    const auto scores = random_scores(states, random);
    auto losses = random_scores(states, random);
    for (double& loss : losses.value) loss = std::abs(loss);
    const auto truth = static_cast<Index>(random.below(states));
    losses.value[truth] = 0;
    Enumeration<Choice> reference(engine, scores);
    EXPECT_EQ(engine.solve_slack(scores, losses, scores.of(truth), counts),
              reference.solve_slack(scores, losses, scores.of(truth)));
    EXPECT_EQ(counts.structure(), reference.winner());
  }
  const Choice::Scores forbidden{{0.5, kForbidden}}, losses{{1, 0}};
  EXPECT_EQ(engine.solve_slack(forbidden, losses, 0.25, counts), 1.25);
  EXPECT_EQ(counts.structure(), 0u);
}

TEST(Choice, ListsOnlyWhatAHardAnswerUses) {
  const Choice engine;
  const Choice::Scores scores{{1, 5, 2}};
  Choice::Counts counts;
  const auto uses_after_subtracting = [&](Index s) {
    engine.solve(scores, 0, 0, counts);
    counts.subtract(s);
    counts.scale(0.5);
    std::vector<std::pair<Index, double>> uses;
    for (const auto& [state, amount] : counts.uses()) uses.emplace_back(state, amount);
    return uses;
  };
  using Uses = std::vector<std::pair<Index, double>>;
  EXPECT_EQ(uses_after_subtracting(0), (Uses{{0, -0.5}, {1, 0.5}}));
  EXPECT_EQ(uses_after_subtracting(1), Uses{});
  EXPECT_EQ(uses_after_subtracting(2), (Uses{{1, 0.5}, {2, -0.5}}));
  EXPECT_EQ(counts.structure(), 1u);
}

TEST(Choice, NothingIsUsedWhenEverythingIsForbidden) {
  const Choice engine;
  const Choice::Scores scores{{kForbidden, kForbidden}};
  Choice::Counts counts;
  EXPECT_EQ(engine.solve(scores, 0, 0, counts), kForbidden);
  EXPECT_TRUE(counts.uses().empty());
  EXPECT_EQ(engine.solve(scores, 1, 1, counts), kForbidden);
  EXPECT_EQ(counts.amounts()[0] + counts.amounts()[1], 0);
}

TEST(Choice, SoftSubtractionAndScaling) {
  const Choice engine;
  const Choice::Scores scores{{0, 0}};
  Choice::Counts counts;
  EXPECT_DOUBLE_EQ(engine.solve(scores, 2, 0, counts), 2 * std::log(2.0));
  counts.subtract(1);
  counts.scale(4);
  EXPECT_EQ(std::vector<double>(counts.amounts().begin(), counts.amounts().end()),
            (std::vector<double>{2, -2}));
}

}  // namespace
}  // namespace hinge
