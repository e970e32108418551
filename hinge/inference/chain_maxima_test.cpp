#include "hinge/inference/chain_maxima.h"

#include <gtest/gtest.h>

#include "hinge/core/random.h"

namespace hinge {
namespace {

TEST(ChainMaxima, AreThoseOfEnumeration) {
  Random random(3);
  for (const std::size_t length : {1U, 2U, 5U}) {
    ChainScores scores;
    scores.shape(length, 3);
    Vector values(scores.parts());
    for (double& value : values) value = random.normal();
    scores.set(values);
    scores.node(0)[1] = kForbidden;
    scores.edge(2)[0] = kForbidden;
    Vector expected(length * 3, kForbidden), found;
    Chain::for_each_structure(scores, [&](const Path& y) {
      for (std::size_t t = 0; t < length; ++t) {
        double& best = expected[t * 3 + static_cast<std::size_t>(y[t])];
        best = std::max(best, scores.of(y));
      }
    });
    chain_maxima(scores, found);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k)
      if (expected[k] == kForbidden)
        EXPECT_EQ(found[k], kForbidden);
      else
        EXPECT_NEAR(found[k], expected[k], 1e-12);
  }
}

}  // namespace
}  // namespace hinge
