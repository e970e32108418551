#include "hinge/tasks/rank/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hinge/core/errors.h"
#include "hinge/core/random.h"

namespace hinge {
namespace {

const double kLog3 = std::log2(3.0);

TEST(QueryMetrics, CountByHand) {
  const QueryMetrics m(Vector{0, 2, 1, 0, 1}, 1, 5);
  EXPECT_EQ(m.relevant, 3u);
  EXPECT_EQ(m.reciprocal_rank, 0.5);
  EXPECT_DOUBLE_EQ(m.average_precision, (1.0 / 2 + 2.0 / 3 + 3.0 / 5) / 3);
  const Vector precision = {0, 1.0 / 2, 2.0 / 3, 2.0 / 4, 3.0 / 5};
  for (std::size_t k = 0; k < 5; ++k) EXPECT_DOUBLE_EQ(m.precision[k], precision[k]);
  // gains 0 3 1 0 1, at best 3 1 1 0 0; the first two places are not discounted
  const double l5 = std::log2(5.0);
  const Vector dcg = {0, 3, 3 + 1 / kLog3, 3 + 1 / kLog3, 3 + 1 / kLog3 + 1 / l5};
  const Vector best = {3, 4, 4 + 1 / kLog3, 4 + 1 / kLog3, 4 + 1 / kLog3};
  for (std::size_t k = 0; k < 5; ++k) EXPECT_DOUBLE_EQ(m.ndcg[k], dcg[k] / best[k]);
}

// The share of wrong pairs, pair by pair.
TEST(RankingLoss, CountsPairsAsTheirDefinitionDoes) {
  Random random(4);
  for (std::size_t n = 0; n < 60; ++n) {
    Vector scores, grades;
    for (std::size_t i = 0; i < n; ++i) {
      scores.push_back(static_cast<double>(random.below(1 + n / 2)) - 3);  // with ties
      grades.push_back(static_cast<double>(random.below(4)));
    }
    double wrong = 0, pairs = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (grades[i] > grades[j]) {
          ++pairs;
          wrong += scores[i] < scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
        }
    RankGoal goal;
    goal.loss = RankLoss::pairs;
    EXPECT_EQ(ranking_loss(goal, scores, grades), pairs == 0 ? 0 : wrong / pairs) << n;
  }
}

TEST(QueryMetrics, PlacesAfterTheLastDocumentHoldNothing) {
  const QueryMetrics m(Vector{1, 0}, 1, 4);
  EXPECT_EQ(m.precision, (Vector{1, 0.5, 1.0 / 3, 0.25}));
  EXPECT_EQ(m.ndcg, (Vector{1, 1, 1, 1}));
}

TEST(QueryMetrics, NothingRelevantCountsZero) {
  const QueryMetrics none(Vector{0, 0}, 1, 2);
  EXPECT_EQ(none.average_precision, 0);
  EXPECT_EQ(none.reciprocal_rank, 0);
  EXPECT_EQ(none.ndcg, (Vector{0, 0}));
  EXPECT_FALSE(none.gained);
  const QueryMetrics strict(Vector{1, 2}, 2, 2);  // grade 1 has a gain, but is not relevant
  EXPECT_EQ(strict.precision, (Vector{0, 0.5}));
  EXPECT_DOUBLE_EQ(strict.ndcg[0], 1.0 / 3);
}

TEST(RankMetrics, AveragesOverQueries) {
  RankMetrics metrics(12);
  ASSERT_EQ(metrics.places(), 12u);
  metrics.add(MeasuredQuery{{Vector{1, 0}, 1, 12}, 0.25});
  metrics.add(MeasuredQuery{{Vector{0, 0}, 1, 12}, 0.75});
  metrics.add(std::nullopt);
  const nlohmann::json json = metrics.json();
  EXPECT_EQ(json["queries"], 2);
  EXPECT_EQ(json["ungraded"], 1);
  EXPECT_EQ(json["without_relevant"], 1);
  EXPECT_EQ(json["loss"], 0.5);
  EXPECT_EQ(json["accuracy"], 0.5);
  EXPECT_EQ(json["map"], 0.5);
  EXPECT_EQ(json["precision@2"], 0.25);
  EXPECT_EQ(json["ndcg@12"], 0.5);
  EXPECT_FALSE(json.contains("ndcg@11"));
  EXPECT_NE(rank_report(json).find("  12       0.0417   0.5000\n"), std::string::npos) << rank_report(json);
  EXPECT_THROW(RankMetrics(1).json(), InputError);
}

TEST(RankingLoss, CountsByHand) {
  const Vector scores = {3, 2, 2, 1}, grades = {0, 2, 1, 0};
  const auto loss = [&](RankLoss which, std::size_t at) {
    return ranking_loss({which, at, 1}, scores, grades);
  };
  // pairs: 2>1 is a tie, 2>0 and 1>0 are each once wrong and once right
  EXPECT_DOUBLE_EQ(loss(RankLoss::pairs, 1), (0.5 + 1 + 1) / 5);
  EXPECT_DOUBLE_EQ(loss(RankLoss::precision, 1), 1);
  EXPECT_DOUBLE_EQ(loss(RankLoss::precision, 2), 0.5);
  EXPECT_DOUBLE_EQ(loss(RankLoss::precision, 4), 0);
  EXPECT_DOUBLE_EQ(loss(RankLoss::ndcg, 2), 1 - 3.0 / 4);
  EXPECT_DOUBLE_EQ(loss(RankLoss::map, 1), 1 - (1.0 / 2 + 2.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(loss(RankLoss::relevance, 1), 0.5);
  const double e = std::exp(1.0);
  EXPECT_DOUBLE_EQ(loss(RankLoss::listwise, 1), 1 - 1 / (2 + e + e * e));
  for (const char* name : {"pairs", "precision", "ndcg", "map"})
    EXPECT_EQ(ranking_loss({rank_loss(name), 3, 1}, scores, Vector{0, 0, 0, 0}), 0) << name;
}

TEST(RankingLoss, EqualScoresKeepTheirOrder) {
  std::vector<Index> order;
  rank_by_score(Vector{1, 2, 1, 2}, order);
  EXPECT_EQ(order, (std::vector<Index>{1, 3, 0, 2}));
  EXPECT_THROW(rank_loss("recall"), InputError);
}

}  // namespace
}  // namespace hinge
