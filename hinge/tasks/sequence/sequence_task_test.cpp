#include "hinge/tasks/sequence/sequence_task.h"

#include <gtest/gtest.h>

#include "hinge/core/random.h"
#include "hinge/oracle/check_task.h"

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

TEST(Hamming, UnseenLabelsAreErrorsAndUnknownOnesAreNot) {
  const Hamming count{}, share{true, {2, 1, 1}};
  EXPECT_EQ(count({0, kUnknown, -2, 1}, {0, 1, 1, 2}), 2);
  EXPECT_EQ(share({0, kUnknown, 1, 0}, {1, 1, 1, 0}), 2.0 / 3);
}

}  // namespace
}  // namespace hinge
