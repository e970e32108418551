#include "hinge/inference/graph_maxima.h"

#include <gtest/gtest.h>

#include "hinge/core/random.h"

namespace hinge {
namespace {

TEST(GraphMaxima, AreThoseOfEnumeration) {
  Random random(4);
  const Graph graph({2, 3, 1, 2}, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  GraphScores scores;
  scores.shape(graph);
  Vector values(scores.parts());
  for (double& value : values) value = random.normal();
  scores.set(values);
  scores.node(1)[2] = kForbidden;
  for (const bool observed : {false, true}) {
    if (observed) scores.observe(3, 1);
    Vector expected(graph.node_cells(), kForbidden), found;
    GraphEngine::for_each_structure(scores, [&](const Assignment& s) {
      for (std::size_t i = 0; i < s.size(); ++i) {
        double& best = expected[graph.node_begin(i) + static_cast<std::size_t>(s[i])];
        best = std::max(best, scores.of(s));
      }
    });
    GraphEngine engine;
    graph_maxima(engine, scores, found);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k)
      if (expected[k] == kForbidden)
        EXPECT_EQ(found[k], kForbidden) << k;
      else
        EXPECT_NEAR(found[k], expected[k], 1e-12) << k;
  }
}

}  // namespace
}  // namespace hinge
