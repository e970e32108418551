#include "hinge/tasks/multilabel/multilabel.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "hinge/core/random.h"
#include "hinge/oracle/check_task.h"
#include "hinge/tasks/multilabel/pairs.h"
#include "tests/support/any_task.h"

namespace hinge {
namespace {

std::vector<Example<MultilabelTask>> random_examples(Index features, Index labels, Random& random) {
  std::vector<Example<MultilabelTask>> examples(8);
  for (auto& [row, set, weight] : examples) {
    for (Index j = 0; j < features; ++j) {
      if (random.uniform() < 0.4) continue;
      row.index.push_back(j);
      row.value.push_back(static_cast<float>(random.normal()));
    }
    for (Index l = 0; l < labels; ++l) set.states.push_back(static_cast<int>(random.below(2)));
  }
  examples[3].input = {};
  return examples;
}

TEST(MultilabelTask, KeepsTheContract) {
  Random random(1);
  for (const Index labels : {1u, 2u, 3u, 6u})
    for (const char* which : {"none", "tree", "all"})
      for (const bool normalised : {false, true}) {
        auto examples = random_examples(4, labels, random);
        std::vector<LabelSet> sets;
        for (const auto& example : examples) sets.push_back(example.label);
        const auto pairs = choose_pairs(which, labels, sets, std::vector<double>(sets.size(), 1.0));
        const auto report = check_task(MultilabelTask(4, labels, pairs, normalised), examples);
        EXPECT_TRUE(report.passed()) << report.text();
        examples[0].label.states[0] = kUnknown;
        examples[1].label.unseen = 2;
        examples[2].label.states.assign(labels, kUnknown);
        const auto open = check_task(MultilabelTask(4, labels, pairs, normalised), examples);
        EXPECT_TRUE(open.passed()) << open.text();
        EXPECT_GT(open.comparisons, 100u);
      }
}

TEST(MultilabelTask, WithoutPairsIsOneClassifierALabel) {
  const MultilabelTask task(2, 3, {});
  const std::vector<Example<MultilabelTask>> examples = {{{{0, 1}, {1, 2}}, {{1, 0, 1}, 0}}};
  const TaskOracle<MultilabelTask> oracle(task, examples);
  const Vector w = {0.25, 0.5, -0.5, 0.125, -1, 0};
  Plane plane;
  oracle.support(0, w, {Side::excess}, plane);
  double hinges = 0;
  const double sign[] = {1, -1, 1};
  for (std::size_t l = 0; l < 3; ++l) hinges += std::max(0.0, 1 - sign[l] * (w[l] + 2 * w[3 + l]));
  EXPECT_DOUBLE_EQ(plane.at(w), hinges);
}

TEST(MultilabelTask, RefusesToCountErrorsThatItCannot) {
  const Query slack{Side::excess, 1, 0, 0, Rescaling::slack};
  EXPECT_EQ(MultilabelTask(1, 30, {}).refusal(slack), "");
  EXPECT_NE(MultilabelTask(1, 30, choose_pairs("all", 30, {}, {})).refusal(slack).find("margin rescaling"),
            std::string::npos);
}

// Labels in a chain 2 - 0 - 3 - 1, each a noisy copy of the one before.
TEST(ChoosePairs, FindsTheTreeThatMadeTheLabels) {
  Random random(9);
  std::vector<LabelSet> sets;
  std::vector<double> weights;
  for (int i = 0; i < 3000; ++i) {
    LabelSet set{Labels(4), 0};
    const int chain[] = {2, 0, 3, 1};
    int state = static_cast<int>(random.below(2));
    for (const int l : chain) {
      if (random.uniform() < 0.2) state = 1 - state;
      set.states[static_cast<std::size_t>(l)] = random.uniform() < 0.1 ? kUnknown : state;
    }
    sets.push_back(set);
    weights.push_back(i % 3 == 0 ? 2 : 1);
  }
  const auto tree = choose_pairs("tree", 4, sets, weights);
  EXPECT_EQ(tree, (std::vector<Graph::Edge>{{0, 2}, {0, 3}, {1, 3}}));
  EXPECT_EQ(choose_pairs("all", 4, sets, weights).size(), 6u);
  EXPECT_TRUE(choose_pairs("none", 4, sets, weights).empty());
}

// The tree's information is that of the best of all 16 trees over four labels, by enumeration of edge sets.
TEST(ChoosePairs, NoOtherTreeKnowsMore) {
  Random random(2);
  for (int repeat = 0; repeat < 20; ++repeat) {
    std::vector<LabelSet> sets(12, LabelSet{Labels(4), 0});
    for (LabelSet& set : sets)
      for (int& state : set.states) state = static_cast<int>(random.below(3)) - 1;
    const std::vector<double> weights(sets.size(), 1.0);
    const auto information = [&](const Graph::Edge& e) {
      double counts[4] = {};
      for (const LabelSet& set : sets)
        if (const int a = set.states[e.from], b = set.states[e.to]; a >= 0 && b >= 0) ++counts[2 * a + b];
      return mutual_information(counts);
    };
    const auto sum_of = [&](const std::vector<Graph::Edge>& edges) {
      double sum = 0;
      for (const auto& e : edges) sum += information(e);
      return sum;
    };
    const auto all = choose_pairs("all", 4, sets, weights);
    double best = 0;
    for (std::size_t chosen = 0; chosen < 64; ++chosen) {
      std::vector<Graph::Edge> edges;
      for (std::size_t e = 0; e < 6; ++e)
        if (chosen >> e & 1) edges.push_back(all[e]);
      if (edges.size() != 3) continue;
      std::vector<Index> root = {0, 1, 2, 3};  // three edges that join four labels are a tree
      for (int pass = 0; pass < 3; ++pass)
        for (const auto& e : edges) root[e.from] = root[e.to] = std::min(root[e.from], root[e.to]);
      if (std::ranges::count(root, Index{0}) == 4) best = std::max(best, sum_of(edges));
    }
    EXPECT_NEAR(sum_of(choose_pairs("tree", 4, sets, weights)), best, 1e-12);
  }
}

// Prim's with the counts of every pair from all rows: the same edges, of equals too.
TEST(ChoosePairs, IsTheTreeOfAllPairs) {
  Random random(5);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const auto labels = static_cast<Index>(1 + random.below(12));
    const double unknown = repeat % 2 == 0 ? 0 : 0.2, present = 0.1 + 0.4 * random.uniform();
    std::vector<LabelSet> sets(1 + random.below(30), LabelSet{Labels(labels), 0});
    std::vector<double> weights;
    for (LabelSet& set : sets) {
      for (int& state : set.states)
        state = random.uniform() < unknown ? kUnknown : random.uniform() < present;
      weights.push_back(repeat % 4 < 2 ? 1 : 0.5 + static_cast<double>(random.below(3)));
    }
    const auto information = [&](Index a, Index b) {
      double counts[4] = {};
      for (std::size_t i = 0; i < sets.size(); ++i)
        if (const int s = sets[i].states[a], t = sets[i].states[b]; s >= 0 && t >= 0)
          counts[2 * s + t] += weights[i];
      return mutual_information(counts);  // sums of halves, whatever their order
    };
    std::vector<Graph::Edge> expected;
    std::vector<char> done(labels, 0);
    std::vector<std::pair<double, Index>> best(labels, {-1, 0});
    for (Index last = 0; expected.size() + 1 < labels;) {
      done[last] = 1;
      Index next = labels;
      for (Index l = 0; l < labels; ++l) {
        if (done[l]) continue;
        if (const double known = information(std::min(last, l), std::max(last, l)); known > best[l].first)
          best[l] = {known, last};
        if (next == labels || best[l].first > best[next].first) next = l;
      }
      expected.push_back({std::min(best[next].second, next), std::max(best[next].second, next)});
      last = next;
    }
    std::ranges::sort(expected, {}, [](const Graph::Edge& e) { return std::pair(e.from, e.to); });
    EXPECT_EQ(choose_pairs("tree", labels, sets, weights), expected);
  }
}

TEST(ChoosePairs, KeepsNoTableOfAllPairs) {
  constexpr Index kMany = 12000;  // a table of doubles would be 1.1 GB
  const auto peak = [] {
    rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss / 1024;  // MB
  };
  std::vector<LabelSet> sets(60, LabelSet{Labels(kMany), 0});
  for (Index l = 0; l < kMany; ++l) sets[l % 60].states[l] = sets[l % 7].states[l] = 1;
  const auto before = peak();
  EXPECT_EQ(choose_pairs("tree", kMany, sets, std::vector<double>(60, 1.0)).size(), kMany - 1u);
  EXPECT_LT(peak() - before, 300);
  expect_input_error([] { choose_pairs("all", kMany, {}, {}); },
                     "`pairs` all of 12000 labels are 71994000, more than");
}

TEST(ChoosePairs, InformationOfTwoEqualLabelsIsTheirEntropy) {
  EXPECT_NEAR(mutual_information({3, 0, 0, 1}), -0.75 * std::log(0.75) - 0.25 * std::log(0.25), 1e-15);
  EXPECT_EQ(mutual_information({4, 2, 2, 1}), 0);
  EXPECT_EQ(mutual_information({0, 0, 0, 0}), 0);
}

}  // namespace
}  // namespace hinge
