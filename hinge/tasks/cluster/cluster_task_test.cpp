#include "hinge/tasks/cluster/cluster_task.h"

#include <gtest/gtest.h>

#include "hinge/core/random.h"
#include "hinge/oracle/check_task.h"
#include "hinge/tasks/cluster/antecedent_task.h"

namespace hinge {
namespace {

constexpr Index kFeatures = 6;

// Pairs with rows of their own; some share one.
Document random_document(std::size_t items, Random& random, bool values) {
  Document x;
  x.items = items;
  for (std::size_t p = 0; p < first_pair(items); ++p) {
    if (p > 0 && random.uniform() < 0.2) {
      x.row_of.push_back(static_cast<Index>(random.below(x.rows.length())));
      continue;
    }
    for (Index f = 0; f < kFeatures; ++f)
      if (random.uniform() < 0.5) {
        x.rows.attribute.push_back(f);
        if (values) x.rows.value.push_back(static_cast<float>(random.normal()));
      }
    x.rows.start.push_back(static_cast<Index>(x.rows.attribute.size()));
    x.row_of.push_back(static_cast<Index>(x.rows.length() - 1));
  }
  return x;
}

template <class T>
std::vector<Example<T>> random_examples(std::size_t most_items, bool values) {
  Random random(17);
  std::vector<Example<T>> examples;
  for (std::size_t items = 1; items <= most_items; ++items)
    for (int repeat = 0; repeat < 4; ++repeat) {
      Partition y(items);
      for (Index& cluster : y) cluster = static_cast<Index>(random.below(1 + items / 2));
      if (repeat == 3) std::iota(y.begin(), y.end(), Index{0});
      examples.push_back({random_document(items, random, values), renumbered(std::move(y)), 1});
    }
  return examples;
}

template <class T>
void is_sound(std::size_t most_items) {
  for (double link_penalty : {1.0, 0.1, 0.0})
    for (bool values : {false, true}) {
      const T task(kFeatures, link_penalty);
      const auto examples = random_examples<T>(most_items, values);
      CheckOptions options;
      options.examples = 100;
      const CheckReport report = check_task(task, examples, options);
      EXPECT_EQ(report.text(), "");
      EXPECT_GT(report.comparisons, 1000u);
    }
}

TEST(ClusterTask, ForestsAreSound) { is_sound<ForestTask>(5); }
TEST(ClusterTask, CorrelationIsSound) { is_sound<CorrelationTask>(6); }
TEST(ClusterTask, PairwiseIsSound) { is_sound<PairwiseTask>(5); }
TEST(ClusterTask, AntecedentsAreSound) { is_sound<AntecedentTask>(5); }

// Eq. 8 of Yu & Joachims 2009: n(y) − k(y) − Σ l, l = 1 within a cluster and −r across.
TEST(ClusterTask, LossesAreThatOfTheFormula) {
  const Partition y = {0, 0, 1, 0, 1};
  const ForestTask forest(1, 0.25);
  EXPECT_EQ(forest.loss(y, {}), 3);
  EXPECT_EQ(forest.loss(y, {{0, 1}, {1, 3}, {2, 4}}), 0);
  EXPECT_EQ(forest.loss(y, {{0, 1}, {1, 2}, {3, 4}}), 2 + 0.5);
  const AntecedentTask antecedents(1, 0.25);  // the same links: 1 → 0, 2 → 1, 3 begins, 4 → 3
  EXPECT_EQ(antecedents.loss(y, {0, 0, 0, 3, 0}), 2 + 0.5);
  EXPECT_EQ(antecedents.loss(y, antecedents.structure(y)), 0);
  const CorrelationTask correlation(1, 0.25);  // 4 pairs belong together
  EXPECT_EQ(correlation.loss(y, {0, 1, 2, 3, 4}), 4);
  EXPECT_EQ(correlation.loss(y, {0, 0, 0, 1, 1}), 3 + 3 * 0.25);
  const PairwiseTask pairwise(1, 0.25);
  EXPECT_EQ(pairwise.loss(y, PairChoices::structure({0, 0, 0, 1, 1})), 3 + 3 * 0.25);
}

TEST(ClusterTask, RefusesSumsOverForests) {
  const auto examples = random_examples<ForestTask>(3, false);
  const ForestTask task(kFeatures, 1);
  const TaskOracle<ForestTask> oracle(task, examples);
  EXPECT_NE(oracle.refusal({Side::free, 1, 0, 1}).find("`structure` antecedents"), std::string::npos);
  EXPECT_EQ(oracle.refusal({Side::free, 1, 0, 0}), "");
}

// Where a label has one item a cluster, no antecedent is hidden; where it has not, which one of them is.
TEST(AntecedentTask, HidesWhichItemOfACluster) {
  const AntecedentTask task(kFeatures, 1);
  EXPECT_TRUE(task.determined({0, 1, 2}));
  EXPECT_FALSE(task.determined({0, 0, 1}));
}

// Left to right: the third item has two weak links to the first cluster, which together are better than one
// strong link to the second.
TEST(AntecedentTask, SumsOverTheClustersSoFar) {
  Document x;
  x.items = 4;
  // pairs (0,1), (0,2), (1,2), (0,3), (1,3), (2,3) with a feature each
  for (Index p = 0; p < 6; ++p) {
    x.rows.attribute.push_back(p);
    x.rows.start.push_back(p + 1);
    x.row_of.push_back(p);
  }
  const AntecedentTask task(6, 1);
  const Vector w = {1, -1, -1, 0.5, 0.5, 0.9};
  EXPECT_EQ(task.partition(x, task.predict(x, w, 0)), (Partition{0, 0, 1, 1}));
  EXPECT_EQ(task.partition(x, task.predict(x, w, 1)), (Partition{0, 0, 1, 0}));
  EXPECT_EQ(task.predict(x, w, 1), (Choices{0, 0, 2, 1}));  // of equal items the nearer one
  Factored<AntecedentTask> factored;
  EXPECT_EQ(task.predict(x, w, 0), factored.predict(task, x, w));
}

}  // namespace
}  // namespace hinge
