#include "hinge/inference/assignment.h"

#include <gtest/gtest.h>

#include "hinge/core/errors.h"
#include "hinge/core/random.h"
#include "hinge/inference/engine.h"
#include "hinge/inference/enumeration.h"

namespace hinge {
namespace {

static_assert(Engine<AssignmentEngine>);

AssignmentEngine::Scores random_scores(std::size_t rows, std::size_t columns, Random& random,
                                       double forbidden, int levels) {
  AssignmentEngine::Scores scores;
  scores.shape(rows, columns);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      scores(r, c) = random.uniform() < forbidden ? kForbidden
                     : levels > 0                 ? static_cast<double>(random.below(levels))
                                                  : 10 * random.normal();
  return scores;
}

TEST(AssignmentEngine, EqualsEnumeration) {
  Random random(3);
  AssignmentEngine engine;
  AssignmentEngine::Counts counts;
  int impossible = 0;
  for (std::size_t rows = 0; rows <= 5; ++rows)
    for (std::size_t columns = rows; columns <= 6; ++columns)
      for (const double forbidden : {0.0, 0.3, 0.7})
        for (const int levels : {0, 2})
          for (int repeat = 0; repeat < 10; ++repeat) {
            const auto scores = random_scores(rows, columns, random, forbidden, levels);
            Enumeration<AssignmentEngine> all(engine, scores);
            ASSERT_EQ(all.structures().size(), AssignmentEngine::structures(scores));
            const double value = engine.solve(scores, 0, 0, counts), best = all.solve(scores, 0);
            if (best == kForbidden) {
              EXPECT_EQ(value, kForbidden);
              ++impossible;
              continue;
            }
            ASSERT_NEAR(value, best, 1e-10);
            EXPECT_EQ(scores.of(counts.structure()), value);
            if (levels == 0) {
              EXPECT_EQ(counts.structure(), all.winner());
            }
            AssignmentEngine::Structure columns_used = counts.structure();
            std::ranges::sort(columns_used);
            EXPECT_EQ(std::ranges::adjacent_find(columns_used), columns_used.end());
          }
  EXPECT_GT(impossible, 20);
}

// Duality on tables too large to list: prices that are high enough for every pair cost what the matching
// earns. A bound by rows alone, and by columns alone, lies above it.
TEST(AssignmentEngine, IsBelowTheBoundsOfLargeTables) {
  Random random(4);
  AssignmentEngine engine;
  AssignmentEngine::Counts counts;
  const auto scores = random_scores(200, 230, random, 0.1, 0);
  const double value = engine.solve(scores, 0, 0, counts);
  double by_rows = 0;
  for (std::size_t r = 0; r < 200; ++r) {
    double most = kForbidden;
    for (std::size_t c = 0; c < 230; ++c) most = std::max(most, scores(r, c));
    by_rows += most;
  }
  EXPECT_LE(value, by_rows);
  EXPECT_GT(value, 0.8 * by_rows);
  // No swap of two rows' columns gains.
  const auto& s = counts.structure();
  for (std::size_t a = 0; a < 200; ++a)
    for (std::size_t b = 0; b < a; ++b)
      EXPECT_LE(scores(a, s[b]) + scores(b, s[a]), scores(a, s[a]) + scores(b, s[b]) + 1e-9);
}

TEST(AssignmentEngine, CountsLeaveOutWhatIsSubtracted) {
  AssignmentEngine engine;
  AssignmentEngine::Counts counts;
  AssignmentEngine::Scores scores;
  scores.shape(2, 3);
  scores(0, 1) = 5;
  scores(1, 2) = 4;
  EXPECT_EQ(engine.solve(scores, 0, 0, counts), 9);
  counts.subtract({1, 0});
  std::vector<std::tuple<std::size_t, Index, double>> uses;
  counts.for_each_pair([&](std::size_t r, Index c, double amount) { uses.emplace_back(r, c, amount); });
  EXPECT_EQ(uses, (std::vector<std::tuple<std::size_t, Index, double>>{{1, 2, 1.0}, {1, 0, -1.0}}));
}

TEST(AssignmentEngine, RefusesMoreRowsThanColumns) {
  AssignmentEngine::Scores scores;
  EXPECT_THROW(scores.shape(3, 2), InputError);
}

}  // namespace
}  // namespace hinge
