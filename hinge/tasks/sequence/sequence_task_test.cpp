#include "hinge/tasks/sequence/sequence_task.h"

#include <gtest/gtest.h>

#include "hinge/core/random.h"
#include "hinge/oracle/check_task.h"
#include "hinge/oracle/task_oracle.h"

namespace hinge {
namespace {

static_assert(FactoredTask<SequenceTask>);

constexpr std::size_t kLabels = 3, kAttributes = 7;
using Examples = std::vector<Example<SequenceTask>>;

Examples random_examples(std::size_t count, bool values, bool hide) {
  Random random(4);
  Examples examples(count);
  for (auto& [x, y, weight] : examples) {
    const std::size_t length = 1 + random.below(5);
    for (std::size_t t = 0; t < length; ++t) {
      for (Index a = 0; a < kAttributes; ++a)
        if (random.uniform() < 0.4) {
          x.attribute.push_back(a);
          if (values) x.value.push_back(static_cast<float>(random.normal()));
        }
      x.start.push_back(static_cast<Index>(x.attribute.size()));
      y.push_back(hide && random.uniform() < 0.4 ? kUnknown : static_cast<int>(random.below(kLabels)));
    }
  }
  return examples;
}

Emissions observed_in(const Examples& examples) {
  std::vector<Sequence> inputs;
  std::vector<Labels> labels;
  for (const auto& example : examples) inputs.push_back(example.input), labels.push_back(example.label);
  return Emissions::observed(kAttributes, kLabels, inputs, labels);
}

void expect_sound(const SequenceTask& task, const Examples& examples) {
  const CheckReport report = check_task(task, examples);
  EXPECT_TRUE(report.passed()) << report.text();
  EXPECT_GT(report.comparisons, 100u);
}

TEST(SequenceTask, IsSoundWithAllFeatures) {
  const auto examples = random_examples(12, true, false);
  for (bool boundaries : {false, true})
    for (bool normalised : {false, true})
      expect_sound({Emissions::all(kAttributes, kLabels), kLabels, Transitions::all(kLabels), boundaries,
                    Hamming{normalised, {}}},
                   examples);
}

TEST(SequenceTask, IsSoundWithObservedFeatures) {
  const auto examples = random_examples(3, false, false);
  std::vector<Labels> labels;
  for (const auto& example : examples) labels.push_back(example.label);
  const Transitions pairs = Transitions::observed(kLabels, labels);
  EXPECT_LT(pairs.size(), kLabels * kLabels);
  expect_sound({observed_in(examples), kLabels, pairs, true, Hamming{}}, examples);
  expect_sound({observed_in(examples), kLabels, Transitions::none(kLabels), false, Hamming{}}, examples);
}

TEST(SequenceTask, IsSoundWithLabelCostsAndMissingLabels) {
  expect_sound({Emissions::all(kAttributes, kLabels), kLabels, Transitions::all(kLabels), false,
                Hamming{false, {1, 0.5, 3}}},
               random_examples(12, true, false));
  expect_sound({Emissions::all(kAttributes, kLabels), kLabels, Transitions::all(kLabels), true, Hamming{}},
               random_examples(12, true, true));
}

// At about every second position one of two labels, sometimes none.
Examples examples_of_sets() {
  Random random(9);
  Examples examples = random_examples(10, true, true);
  for (auto& [x, y, weight] : examples)
    for (std::size_t t = 0; t < y.size(); ++t) {
      const int left_out = static_cast<int>(random.below(kLabels));
      if (random.uniform() < 0.5) {
        y[t] = kUnknown;
        y.one_of.push_back({t, {(left_out + 1) % 3, (left_out + 2) % 3}});
      }
    }
  return examples;
}

TEST(SequenceTask, IsSoundWhereOneOfSeveralLabelsIsKnown) {
  const Examples examples = examples_of_sets();
  for (bool normalised : {false, true})
    expect_sound({Emissions::all(kAttributes, kLabels), kLabels, Transitions::all(kLabels), true,
                  Hamming{normalised, {1, 0.5, 3}}},
                 examples);
  Hamming hamming;
  hamming.states = 2;
  expect_sound(
      {Emissions::all(kAttributes, 2 * kLabels), 2 * kLabels, Transitions::all(2 * kLabels), false, hamming},
      examples);
}

// A set of one label is that label, and one of all is none; at both temperatures.
TEST(SequenceTask, SetsOfOneAndOfAllAreALabelAndNone) {
  const SequenceTask task(Emissions::all(kAttributes, kLabels), kLabels, Transitions::all(kLabels), true,
                          Hamming{});
  Examples sets = random_examples(8, true, true), plain = sets;
  for (auto& [x, y, weight] : sets)
    for (std::size_t t = 0; t < y.size(); ++t) {
      if (y[t] >= 0)
        y.one_of.push_back({t, {y[t]}});
      else
        y.one_of.push_back({t, {0, 1, 2}});
      y[t] = kUnknown;
    }
  Random random(3);
  Vector w(task.dimension());
  for (double& value : w) value = random.normal();
  const TaskOracle<SequenceTask> by_set(task, sets), by_label(task, plain);
  Plane one, other;
  for (std::size_t i = 0; i < sets.size(); ++i)
    for (const double temperature : {0.0, 1.0})
      for (const Side side : {Side::free, Side::clamped}) {
        by_set.support(i, w, {side, 1, temperature, temperature}, one);
        by_label.support(i, w, {side, 1, temperature, temperature}, other);
        EXPECT_NEAR(one.at(w), other.at(w), 1e-12 * (1 + std::abs(one.at(w))));
      }
}

TEST(SequenceTask, ExcludedTransitionsAreInNoLabelling) {
  const Examples examples = random_examples(6, true, true);
  Transitions pairs = Transitions::all(kLabels);
  std::vector<bool> excluded(kLabels * kLabels);
  excluded[0 * kLabels + 1] = excluded[2 * kLabels + 2] = true;
  pairs.exclude(excluded, 1);
  const SequenceTask task(Emissions::all(kAttributes, kLabels), kLabels, pairs, true, Hamming{});
  Random random(5);
  Vector w(task.dimension());
  for (double& value : w) value = random.normal();
  for (const auto& example : examples) {
    ChainScores scores;
    task.score(example.input, w, scores);
    double sum = 0, best = kForbidden;
    Path top;
    Chain::for_each_structure(scores, [&](const Path& path) {
      for (std::size_t t = 1; t < path.size(); ++t)
        if (excluded[static_cast<std::size_t>(path[t - 1]) * kLabels + static_cast<std::size_t>(path[t])])
          return;
      const double score = scores.of(path);
      sum += std::exp(score);
      if (score > best) best = score, top = path;
    });
    ChainCounts counts;
    EXPECT_NEAR(Chain().solve(scores, 1, 1, counts), std::log(sum), 1e-10);
    EXPECT_NEAR(Chain().solve(scores, 0, 0, counts), best, 1e-12);
    EXPECT_EQ(counts.structure(), top);
  }
}

TEST(SequenceTask, IsSoundWithStatesOfEachLabel) {
  constexpr std::size_t kStates = 2, kWidth = kStates * kLabels;
  Hamming hamming{true, {1, 0.5, 3}};
  hamming.states = kStates;
  for (bool hide : {false, true}) {
    const auto examples = random_examples(8, true, hide);
    const SequenceTask task(Emissions::all(kAttributes, kWidth), kWidth, Transitions::all(kWidth), true,
                            hamming);
    expect_sound(task, examples);
    EXPECT_FALSE(task.determined(examples[0].label));
    EXPECT_NE(task.refusal({Side::free, 1, 0.5, 1}), "");
    EXPECT_NE(task.refusal({Side::free, 1, 1, 0}), "");
    EXPECT_EQ(task.refusal({Side::free, 1, 0, 1}), "");
    EXPECT_EQ(task.refusal({Side::free, 1, 1, 1}), "");
  }
}

TEST(SequenceTask, ObservedPairsOfALabelAreThoseOfItsStates) {
  const auto examples = random_examples(3, false, false);
  std::vector<Sequence> inputs;
  std::vector<Labels> labels;
  for (const auto& example : examples) inputs.push_back(example.input), labels.push_back(example.label);
  const auto once = Emissions::observed(kAttributes, kLabels, inputs, labels);
  const auto thrice = Emissions::observed(kAttributes, 3 * kLabels, inputs, labels, 3);
  ASSERT_EQ(thrice.size(), 3 * once.size());
  for (Index j = 0; j < thrice.size(); ++j) {
    EXPECT_EQ(thrice.pair(j).first, once.pair(j / 3).first);
    EXPECT_EQ(thrice.pair(j).second, 3 * once.pair(j / 3).second + j % 3);
  }
  EXPECT_EQ(Transitions::observed(3 * kLabels, labels, 3).size(),
            9 * Transitions::observed(kLabels, labels).size());
}

TEST(Emissions, ObservedPairsAreThoseOfTheData) {
  const auto examples = random_examples(4, false, true);
  const Emissions emissions = observed_in(examples);
  std::vector<std::pair<Index, Index>> pairs;
  for (Index j = 0; j < emissions.size(); ++j) pairs.push_back(emissions.pair(j));
  std::vector<std::pair<Index, Index>> expected;
  for (Index a = 0; a < kAttributes; ++a)
    for (Index k = 0; k < kLabels; ++k)
      for (const auto& [x, y, weight] : examples)
        for (std::size_t t = 0; t < y.size(); ++t)
          for (Index at = x.start[t]; at < x.start[t + 1]; ++at)
            if (x.attribute[at] == a && y[t] == static_cast<int>(k)) expected.push_back({a, k});
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  EXPECT_EQ(pairs, expected);
  Archive archive;
  emissions.save(archive);
  EXPECT_EQ(Emissions::load(archive, kAttributes, kLabels).size(), emissions.size());
}

TEST(Hamming, OneOfSeveralLabelsCostsTheCheapestOfTheirErrors) {
  Labels y = {kUnknown, 2};
  y.one_of.push_back({0, {0, 1}});
  const Hamming count{}, share{true, {2, 0.5, 1}};
  EXPECT_EQ(count(y, {0, 2}), 0);
  EXPECT_EQ(count(y, {2, 2}), 1);
  EXPECT_EQ(share(y, {2, 1}), (0.5 + 1) / 2);
}

TEST(Hamming, UnseenLabelsAreErrorsAndUnknownOnesAreNot) {
  const Hamming count{}, share{true, {2, 1, 1}};
  EXPECT_EQ(count({0, kUnknown, -2, 1}, {0, 1, 1, 2}), 2);
  EXPECT_EQ(share({0, kUnknown, 1, 0}, {1, 1, 1, 0}), 2.0 / 3);
}

}  // namespace
}  // namespace hinge
