#include "hinge/tasks/cluster/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "hinge/core/random.h"
#include "hinge/tasks/cluster/assignment.h"

namespace hinge {
namespace {

// Key {a b c} {d e f g}; response {a b} {c d} {f g h i} is the usual example, which has mentions that the
// other side lacks; here all items are on both sides: key {0 1 2} {3 4 5 6}, response {0 1} {2 3} {4 5 6}.
TEST(ClusterMetrics, ByHand) {
  const Partition key = {0, 0, 0, 1, 1, 1, 1}, response = {0, 0, 1, 1, 2, 2, 2};
  const ClusterScores s = ClusterScores::of(key, response);
  // MUC: {0 1 2} is cut into 2 parts, {3 4 5 6} into 2: (1 + 2) / (2 + 3). Response: parts 1, 2, 1.
  EXPECT_DOUBLE_EQ(s.muc.recall.value(), 3.0 / 5);
  EXPECT_DOUBLE_EQ(s.muc.precision.value(), (1.0 + 0 + 2) / (1 + 1 + 2));
  EXPECT_DOUBLE_EQ(s.muc.f1(), 2 * 0.6 * 0.75 / 1.35);
  // B-cubed recall: 0 and 1: 2/3; 2: 1/3; 3: 1/4; 4, 5, 6: 3/4. Precision: 1, 1, 1/2, 1/2, 1, 1, 1.
  EXPECT_DOUBLE_EQ(s.b_cubed.recall.value(), (2.0 / 3 + 2.0 / 3 + 1.0 / 3 + 1.0 / 4 + 9.0 / 4) / 7);
  EXPECT_DOUBLE_EQ(s.b_cubed.precision.value(), 6.0 / 7);
  // CEAF-e: {0 1 2} with {0 1}: 4/5; {3 4 5 6} with {4 5 6}: 6/7.
  EXPECT_DOUBLE_EQ(s.ceaf_e.recall.value(), (4.0 / 5 + 6.0 / 7) / 2);
  EXPECT_DOUBLE_EQ(s.ceaf_e.precision.value(), (4.0 / 5 + 6.0 / 7) / 3);
  // Pairs: 3 + 6 belong together, 1 + 1 + 3 are said to, of which 1 + 0 + 3 do.
  EXPECT_DOUBLE_EQ(s.wrong_pairs.value(0), (9.0 - 4 + 5 - 4) / 21);
  EXPECT_DOUBLE_EQ(s.conll_f1(), (s.muc.f1() + s.b_cubed.f1() + s.ceaf_e.f1()) / 3);
}

// Links of a chain, as Vilain et al. count: key A−B−C−D, response {A B} {C D}.
TEST(ClusterMetrics, AChainCutInTwo) {
  const ClusterScores s = ClusterScores::of({0, 0, 0, 0}, {0, 0, 1, 1});
  EXPECT_DOUBLE_EQ(s.muc.recall.value(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(s.muc.precision.value(), 1);
  EXPECT_DOUBLE_EQ(s.b_cubed.recall.value(), 0.5);
  EXPECT_DOUBLE_EQ(s.ceaf_e.recall.value(), 2.0 * 2 / 6);
  EXPECT_DOUBLE_EQ(s.ceaf_e.precision.value(), 2.0 * 2 / 6 / 2);
}

TEST(ClusterMetrics, WithoutLinks) {
  const ClusterScores both = ClusterScores::of({0, 1}, {0, 1});
  EXPECT_EQ(both.muc.f1(), 1);
  EXPECT_EQ(both.b_cubed.f1(), 1);
  EXPECT_EQ(both.ceaf_e.f1(), 1);
  EXPECT_EQ(both.muc.recall.value(), 1);
  EXPECT_EQ(both.muc.precision.value(), 1);
  const ClusterScores missed = ClusterScores::of({0, 0}, {0, 1});
  EXPECT_EQ(missed.muc.recall.value(), 0);
  EXPECT_EQ(missed.muc.precision.value(), 1);
  EXPECT_EQ(missed.muc.f1(), 0);
  const ClusterScores one = ClusterScores::of({0}, {0});
  EXPECT_EQ(one.wrong_pairs.value(0), 0);
  EXPECT_EQ(one.conll_f1(), 1);
}

// Straight from the definitions, item by item and permutation by permutation.
struct Plain {
  double muc_recall, b_cubed_recall, ceaf_e_similarity, pair_loss;
};
Plain plainly(const Partition& key, const Partition& response) {
  const std::size_t n = key.size(), K = cluster_count(key), R = cluster_count(response);
  const auto in_both = [&](std::size_t k, std::size_t r) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < n; ++i) count += key[i] == k && response[i] == r;
    return static_cast<double>(count);
  };
  const auto size = [&](const Partition& y, std::size_t c) {
    return static_cast<double>(std::ranges::count(y, static_cast<Index>(c)));
  };
  Plain plain{};
  double links = 0;
  for (std::size_t k = 0; k < K; ++k) {
    double parts = 0;
    for (std::size_t r = 0; r < R; ++r) parts += in_both(k, r) > 0;
    plain.muc_recall += size(key, k) - parts;
    links += size(key, k) - 1;
  }
  plain.muc_recall = links == 0 ? 1 : plain.muc_recall / links;
  for (std::size_t i = 0; i < n; ++i)
    plain.b_cubed_recall += in_both(key[i], response[i]) / size(key, key[i]) / static_cast<double>(n);
  std::vector<std::size_t> column(std::max(K, R));
  std::iota(column.begin(), column.end(), 0);
  do {
    double sum = 0;
    for (std::size_t k = 0; k < K; ++k)
      if (column[k] < R) sum += 2 * in_both(k, column[k]) / (size(key, k) + size(response, column[k]));
    plain.ceaf_e_similarity = std::max(plain.ceaf_e_similarity, sum);
  } while (std::ranges::next_permutation(column).found);
  double wrong = 0;
  for (std::size_t j = 1; j < n; ++j)
    for (std::size_t i = 0; i < j; ++i) wrong += (key[i] == key[j]) != (response[i] == response[j]);
  plain.pair_loss = n < 2 ? 0 : wrong / (static_cast<double>(n * (n - 1)) / 2);
  return plain;
}

TEST(ClusterMetrics, EqualTheDefinitions) {
  Random random(23);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const std::size_t n = 1 + random.below(9);
    Partition key(n), response(n);
    for (Index& cluster : key) cluster = static_cast<Index>(random.below(std::min<std::size_t>(n, 6)));
    for (Index& cluster : response) cluster = static_cast<Index>(random.below(std::min<std::size_t>(n, 6)));
    key = renumbered(key);
    response = renumbered(response);
    const ClusterScores s = ClusterScores::of(key, response);
    const Plain forth = plainly(key, response), back = plainly(response, key);
    EXPECT_NEAR(s.muc.recall.value(), forth.muc_recall, 1e-14);
    EXPECT_NEAR(s.muc.precision.value(), back.muc_recall, 1e-14);
    EXPECT_NEAR(s.b_cubed.recall.value(), forth.b_cubed_recall, 1e-14);
    EXPECT_NEAR(s.b_cubed.precision.value(), back.b_cubed_recall, 1e-14);
    EXPECT_NEAR(s.ceaf_e.recall.part, forth.ceaf_e_similarity, 1e-13);
    EXPECT_NEAR(s.wrong_pairs.value(0), forth.pair_loss, 1e-14);
  }
}

TEST(ClusterMetrics, SumsOverDocumentsAndMeansOfThem) {
  ClusterMetrics metrics;
  metrics.add("one", {0, 0, 0, 0}, {0, 0, 1, 1}, 1, true);
  metrics.add("two", {0, 1}, {0, 1}, 0, false);
  metrics.add_unlabelled();
  const nlohmann::json all = metrics.json();
  EXPECT_DOUBLE_EQ(all["muc_recall"], 2.0 / 3);
  EXPECT_DOUBLE_EQ(all["b_cubed_recall"], (4 * 0.5 + 2) / 6);
  EXPECT_DOUBLE_EQ(all["pair_loss"], (4.0 / 6) / 2);
  EXPECT_DOUBLE_EQ(all["mitre_loss"], (1 - 0.8) / 2);
  EXPECT_DOUBLE_EQ(all["loss"], 0.5);
  EXPECT_EQ(all["documents"].size(), 2u);
  EXPECT_EQ(all["documents"][0]["document"], "one");
  EXPECT_NE(cluster_report(all).find("1 predictions are approximate"), std::string::npos);
  EXPECT_NE(cluster_report(all).find("MUC            66.67 %    100.00 %   80.00 %\n"), std::string::npos);
}

TEST(Assignment, EqualsEveryPermutation) {
  Random random(29);
  for (int repeat = 0; repeat < 100; ++repeat) {
    const std::size_t rows = random.below(6), columns = rows + random.below(3);
    std::vector<double> weight(rows * columns);
    for (double& value : weight) value = random.uniform() < 0.4 ? 0 : random.uniform();
    std::vector<std::size_t> column(columns);
    std::iota(column.begin(), column.end(), 0);
    double best = 0;
    do {
      double sum = 0;
      for (std::size_t r = 0; r < rows; ++r) sum += weight[r * columns + column[r]];
      best = std::max(best, sum);
    } while (std::ranges::next_permutation(column).found);
    EXPECT_NEAR(best_assignment(weight, rows, columns), best, 1e-13);
  }
}

}  // namespace
}  // namespace hinge
