#include "hinge/inference/best_links.h"

#include <gtest/gtest.h>

#include "hinge/core/random.h"
#include "hinge/inference/correlation_clustering.h"
#include "hinge/inference/spanning_forest.h"

namespace hinge {
namespace {

template <class Engine>
class BestLinksOf : public testing::Test {};
using Engines = testing::Types<SpanningForest, CorrelationClustering>;
TYPED_TEST_SUITE(BestLinksOf, Engines);

template <class Engine>
typename Engine::Scores drawn(std::size_t items, Random& random, bool level) {
  typename Engine::Scores scores;
  scores.shape(items);
  scores.constant = random.normal();
  for (double& value : scores.values())
    value = level ? static_cast<double>(random.below(3)) - 1 : random.normal();
  return scores;
}

TYPED_TEST(BestLinksOf, AreThoseOfEnumeration) {
  Random random(3);
  TypeParam engine;
  for (std::size_t items = 1; items <= 5; ++items)
    for (const bool level : {false, true}) {
      auto scores = drawn<TypeParam>(items, random, level);
      if (items > 2) scores.values()[random.below(scores.values().size())] = kForbidden;
      std::vector<double> all;
      TypeParam::for_each_structure(scores, [&](const auto& s) {
        if (scores.of(s) != kForbidden) all.push_back(scores.of(s));
      });
      std::ranges::sort(all, std::greater());
      for (const std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{4}, all.size() + 3}) {
        const auto best = best_links(engine, scores, k);
        EXPECT_TRUE(best.exact);
        ASSERT_EQ(best.found.size(), std::min(k, all.size()));
        std::vector<typename TypeParam::Structure> seen;
        for (std::size_t r = 0; r < best.found.size(); ++r) {
          EXPECT_NEAR(best.found[r].second, all[r], 1e-12);
          EXPECT_EQ(best.found[r].second, scores.of(best.found[r].first));
          EXPECT_EQ(std::ranges::find(seen, best.found[r].first), seen.end());
          seen.push_back(best.found[r].first);
        }
      }
    }
}

TEST(BestLinks, SayWhereTheEngineWasNotExact) {
  Random random(4);
  CorrelationClustering engine;
  const auto scores = drawn<CorrelationClustering>(20, random, false);
  const auto best = best_links(engine, scores, 3);
  ASSERT_EQ(best.found.size(), 3U);
  EXPECT_FALSE(best.exact);
}

}  // namespace
}  // namespace hinge
