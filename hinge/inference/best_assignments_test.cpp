#include "hinge/inference/best_assignments.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "hinge/core/random.h"

namespace hinge {
namespace {

// Every assignment that is not forbidden, best first.
std::vector<std::pair<Assignment, double>> listed(const GraphScores& scores) {
  std::vector<std::pair<Assignment, double>> all;
  GraphEngine::for_each_structure(scores, [&](const Assignment& s) {
    if (scores.of(s) != kForbidden) all.emplace_back(s, scores.of(s));
  });
  std::ranges::sort(all, [](const auto& a, const auto& b) { return a.second > b.second; });
  return all;
}

TEST(BestAssignments, AreThoseOfEnumeration) {
  const std::vector<Graph::Edge> shapes[] = {{{0, 1}, {2, 1}, {1, 3}}, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}, {}};
  Random random(5);
  for (const auto& edges : shapes) {
    const Graph graph({2, 3, 1, 2}, edges);
    GraphScores scores;
    scores.shape(graph);
    Vector values(scores.parts());
    for (double& value : values) value = random.normal();
    scores.set(values);
    scores.node(1)[2] = kForbidden;
    const auto all = listed(scores);
    ASSERT_EQ(all.size(), 8U);
    for (const std::size_t k : {0U, 1U, 5U, 8U, 100U}) {
      GraphEngine engine;
      const BestAssignments best = best_assignments(engine, scores, k);
      EXPECT_TRUE(best.exact);
      ASSERT_EQ(best.found.size(), std::min<std::size_t>(k, 8));
      for (std::size_t r = 0; r < best.found.size(); ++r) {
        EXPECT_EQ(best.found[r].first, all[r].first);
        EXPECT_NEAR(best.found[r].second, all[r].second, 1e-12);
      }
    }
  }
}

TEST(BestAssignments, ComeOnceEachWhereScoresAreEqual) {
  const Graph graph({2, 2, 2}, {{0, 1}, {1, 2}});
  GraphScores scores;
  scores.shape(graph);
  GraphEngine engine;
  auto found = best_assignments(engine, scores, 9).found;
  std::ranges::sort(found);
  ASSERT_EQ(found.size(), 8U);
  EXPECT_EQ(std::ranges::adjacent_find(found), found.end());
}

TEST(BestAssignments, SayWhereTheEngineWasNotExact) {
  std::vector<Graph::Edge> edges;
  for (Index a = 0; a < 6; ++a)
    for (Index b = a + 1; b < 6; ++b) edges.push_back({a, b});
  const Graph graph(std::vector<Index>(6, 3), edges);
  GraphScores scores;
  scores.shape(graph);
  Random random(3);
  Vector values(scores.parts());
  for (double& value : values) value = random.normal();
  scores.set(values);
  GraphEngine engine;
  engine.settings.max_cells = 0;
  const BestAssignments best = best_assignments(engine, scores, 3);
  const auto all = listed(scores);
  ASSERT_EQ(best.found.size(), 3U);
  for (std::size_t r = 0; r < 3; ++r) EXPECT_LE(best.found[r].second, all[0].second + 1e-12);
  for (std::size_t r = 0; r < 3 && best.exact; ++r) EXPECT_NEAR(best.found[r].second, all[r].second, 1e-12);
}

}  // namespace
}  // namespace hinge
