#include "hinge/tasks/multiclass/multiclass.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hinge/core/random.h"
#include "hinge/oracle/check_task.h"

namespace hinge {
namespace {

std::vector<Example<MulticlassTask>> random_examples(Index features, int classes, Random& random) {
  std::vector<Example<MulticlassTask>> examples(12);
  for (auto& [row, label, weight] : examples) {
    for (Index j = 0; j < features; ++j) {
      if (random.uniform() < 0.5) continue;
      row.index.push_back(j);
      row.value.push_back(static_cast<float>(random.normal()));
    }
    label = static_cast<int>(random.below(static_cast<std::size_t>(classes)));
  }
  examples[3].input = {};
  return examples;
}

TEST(MulticlassTask, KeepsTheContract) {
  Random random(1);
  for (int classes : {1, 2, 3, 5, 20, 33}) {
    const auto count = static_cast<Index>(classes);
    const auto examples = random_examples(7, classes, random);
    const auto report = check_task(MulticlassTask(7, count), examples);
    EXPECT_TRUE(report.passed()) << report.text();
    EXPECT_GT(report.comparisons, 100u);

    std::vector<double> costs(std::size_t{count} * count);
    for (Index y = 0; y < count; ++y)
      for (Index c = 0; c < count; ++c) costs[y * count + c] = y == c ? 0 : 3 * random.uniform();
    const auto costly = check_task(MulticlassTask(7, count, costs), examples);
    EXPECT_TRUE(costly.passed()) << costly.text();
  }
}

TEST(MulticlassTask, KeepsTheContractWithHiddenAndUnseenLabels) {
  Random random(2);
  auto examples = random_examples(7, 4, random);
  examples[0].label = MulticlassTask::kHidden;
  examples[5].label = 4;
  const MulticlassTask task(7, 4);
  EXPECT_FALSE(task.determined(MulticlassTask::kHidden));
  EXPECT_FALSE(task.determined(4));
  EXPECT_EQ(task.loss(4, 0), 1);
  const auto report = check_task(task, examples);
  EXPECT_TRUE(report.passed()) << report.text();
}

TEST(MulticlassTask, KeepsTheContractWhereOneOfSeveralClassesIsKnown) {
  Random random(3);
  auto examples = random_examples(7, 4, random);
  examples[0].label = MulticlassTask::kSets;
  examples[2].label = MulticlassTask::kSets - 1;
  std::vector<double> costs;
  for (int y = 0; y < 4; ++y)
    for (int c = 0; c < 4; ++c) costs.push_back(y == c ? 0 : 1 + y + 0.25 * c);
  for (const auto& of : {std::vector<double>{}, costs}) {
    const MulticlassTask task(7, 4, of, {{0, 3}, {1}});
    EXPECT_FALSE(task.determined(MulticlassTask::kSets));
    const auto report = check_task(task, examples);
    EXPECT_TRUE(report.passed()) << report.text();
    EXPECT_GT(report.comparisons, 100u);
    for (Index c = 0; c < 4; ++c) {
      EXPECT_EQ(task.loss(MulticlassTask::kSets, c), std::min(task.loss(0, c), task.loss(3, c)));
      EXPECT_EQ(task.loss(MulticlassTask::kSets - 1, c), task.loss(1, c));
    }
  }
}

TEST(MulticlassTask, AHiddenClassIsSummedAtTheLatentTemperature) {
  const MulticlassTask task(1, 2);
  const std::vector<Example<MulticlassTask>> examples = {{{{0}, {1}}, MulticlassTask::kHidden}};
  const TaskOracle<MulticlassTask> oracle(task, examples);
  const Vector w = {0.5, 0.5};
  Plane plane;
  oracle.support(0, w, {Side::clamped, 1, 0, 1}, plane);
  EXPECT_DOUBLE_EQ(plane.at(w), 0.5 + std::log(2.0));
  oracle.support(0, w, {Side::clamped, 1, 1, 0}, plane);
  EXPECT_EQ(plane.at(w), 0.5);
  oracle.support(0, w, {Side::free, 1, 0, 1}, plane);
  EXPECT_EQ(plane.at(w), 0.5);
}

TEST(MulticlassTask, AHardExcessHasTwoEntriesAFeatureInOrder) {
  const MulticlassTask task(3, 4);
  const std::vector<Example<MulticlassTask>> examples = {{{{0, 2}, {2, 3}}, 2}};
  const TaskOracle<MulticlassTask> oracle(task, examples);
  Vector w(task.dimension());
  w[0 * 4 + 1] = 1;
  Plane plane;
  oracle.support(0, w, {Side::excess}, plane);
  EXPECT_EQ(plane.offset, 1);
  EXPECT_EQ(std::vector<Index>(plane.slope.indices().begin(), plane.slope.indices().end()),
            (std::vector<Index>{1, 2, 9, 10}));
  EXPECT_EQ(std::vector<double>(plane.slope.values().begin(), plane.slope.values().end()),
            (std::vector<double>{2, -2, 3, -3}));
  EXPECT_EQ(plane.at(w), 3);
  w[0 * 4 + 2] = 5;
  oracle.support(0, w, {Side::excess}, plane);
  EXPECT_TRUE(plane.slope.empty());
}

}  // namespace
}  // namespace hinge
