#include "hinge/tasks/taxonomy/taxonomy.h"

#include <gtest/gtest.h>

#include "hinge/core/random.h"
#include "hinge/oracle/check_task.h"

namespace hinge {
namespace {

// 0 above 1 and 2; 1 above 3, 4; 2 above 5, 6 and, in the second, 4 too.
std::shared_ptr<const Hierarchy> classes(bool tree, bool leaves) {
  std::vector<std::vector<Index>> parents = {{}, {0}, {0}, {1}, {1}, {2}, {2}};
  if (!tree) parents[4] = {1, 2};
  return std::make_shared<const Hierarchy>(
      parents, leaves ? std::vector<Index>{3, 4, 5, 6} : std::vector<Index>{1, 2, 3, 4, 5, 6});
}

NodeWeights some_weights(bool all, Random& random) {
  if (all) return NodeWeights::all(4, 6);
  std::vector<std::pair<Index, Index>> pairs = {{3, 5}, {0, 0}};
  for (int k = 0; k < 15; ++k)
    pairs.emplace_back(static_cast<Index>(random.below(4)), static_cast<Index>(random.below(6)));
  return NodeWeights::observed(4, 6, pairs);
}

std::vector<Example<TaxonomyTask>> random_examples(Random& random) {
  std::vector<Example<TaxonomyTask>> examples(10);
  for (auto& [row, label, weight] : examples) {
    for (Index j = 0; j < 4; ++j) {
      if (random.uniform() < 0.4) continue;
      row.index.push_back(j);
      row.value.push_back(static_cast<float>(random.normal()));
    }
    label.node = 1 + static_cast<int>(random.below(6));
  }
  examples[2].label = {TaxonLabel::kHidden, 0};
  examples[3].label = {2, 1};  // a class below 2 that is not here
  examples[4].label = {1, 0};
  examples[5].input = {};
  return examples;
}

TEST(TaxonomyTask, KeepsTheContract) {
  Random random(1);
  for (const bool tree : {false, true})
    for (const bool leaves : {false, true})
      for (const bool all : {false, true})
        for (const TaxonLoss loss : {TaxonLoss::tree, TaxonLoss::errors, TaxonLoss::costs}) {
          const auto hierarchy = classes(tree, leaves);
          const std::size_t answers = hierarchy->answers().size();
          std::vector<double> costs;
          for (std::size_t k = 0; loss == TaxonLoss::costs && k < answers * answers; ++k)
            costs.push_back(k % (answers + 1) == 0 ? 0 : 3 * random.uniform());
          const TaxonomyTask task(hierarchy, some_weights(all, random), 1, loss, costs);
          const auto report = check_task(task, random_examples(random));
          EXPECT_TRUE(report.passed()) << report.text();
          EXPECT_GT(report.comparisons, 200u);
        }
}

TEST(TaxonomyTask, CostsHalfTheWay) {
  const TaxonomyTask task(classes(true, true), NodeWeights::all(1, 6), 1);
  EXPECT_EQ(task.loss({3, 0}, 3), 0);
  EXPECT_EQ(task.loss({3, 0}, 4), 1);
  EXPECT_EQ(task.loss({3, 0}, 5), 2);
  EXPECT_EQ(task.loss({1, 0}, 3), 0);    // below the label
  EXPECT_EQ(task.loss({1, 0}, 5), 1.5);  // from it
  EXPECT_EQ(task.loss({1, 1}, 3), 1);    // a class beside 3 that is not here
  EXPECT_EQ(task.loss({TaxonLabel::kHidden, 0}, 5), 0);
  EXPECT_EQ(task.tree_loss({3, 0}, 6), 2);
}

TEST(TaxonomyTask, ClassesShareWhatIsAboveThem) {
  const TaxonomyTask task(classes(true, true), NodeWeights::all(1, 6), 1);
  const std::vector<Example<TaxonomyTask>> examples = {{{{0}, {2}}, {3, 0}}};
  const TaxonomyTask observed(classes(true, true), NodeWeights::observed(1, 6, {{0, 0}, {0, 2}}), 1);
  Vector w = {1, 0, 0.5, 0, 0, 3};  // of nodes 1 … 6
  TreeChoice::Scores scores;
  task.score(examples[0].input, w, scores);
  EXPECT_EQ(scores.of(3), 3);
  EXPECT_EQ(scores.of(4), 2);
  EXPECT_EQ(scores.of(6), 6);
  Plane plane;
  TaskOracle<TaxonomyTask>(task, examples).support(0, w, {Side::excess}, plane);
  EXPECT_EQ(plane.offset, 2);
  EXPECT_EQ(std::vector<Index>(plane.slope.indices().begin(), plane.slope.indices().end()),
            (std::vector<Index>{0, 1, 2, 5}));  // nodes 1 and 3 against 2 and 6
  w = {1, 0.5};
  observed.score(examples[0].input, w, scores);
  EXPECT_EQ(scores.of(3), 3);
  EXPECT_EQ(scores.of(6), 0);
  EXPECT_EQ(observed.weights().pair(1), std::pair(Index{0}, Index{2}));
}

}  // namespace
}  // namespace hinge
