#include "hinge/core/state_paths.h"

#include <gtest/gtest.h>

#include <set>

#include "hinge/core/random.h"

namespace hinge {
namespace {

// Random paths that end with components of their own, one of them empty.
std::vector<std::vector<Index>> draw(Random& random, Index components) {
  std::vector<std::vector<Index>> paths;
  for (Index last = 0; last < components; ++last) {
    std::vector<Index> path;
    for (Index c = 0; c < last; ++c)
      if (random.below(3) == 0) path.push_back(c);
    path.push_back(last);
    if (random.below(4) != 0) paths.push_back(path);
  }
  paths.emplace_back();
  random.shuffle(paths);
  return paths;
}

TEST(StatePaths, CountWhatTwoStatesShare) {
  Random random(1);
  for (int draws = 0; draws < 20; ++draws) {
    const auto paths = draw(random, 8);
    const StatePaths made(8, paths);
    ASSERT_EQ(made.states(), paths.size());
    for (Index s = 0; s < paths.size(); ++s)
      for (Index t = 0; t < paths.size(); ++t) {
        const std::set<Index> of_s(paths[s].begin(), paths[s].end());
        double both = 0;
        for (const Index c : paths[t]) both += of_s.contains(c) ? 1 : 0;
        EXPECT_EQ(made.shared(s, t), both);
      }
  }
}

TEST(StatePaths, FindAmountsFromTheirSums) {
  Random random(2);
  for (int draws = 0; draws < 20; ++draws) {
    const auto paths = draw(random, 8);
    Vector amounts, sums(8), found;
    double all = 0;
    for (std::size_t s = 0; s < paths.size(); ++s) {
      amounts.push_back(s + 1 < paths.size() ? random.normal() : -all);
      all += amounts.back();
      for (const Index c : paths[s]) sums[c] += amounts[s];
    }
    StatePaths(8, paths).amounts(sums, found);
    ASSERT_EQ(found.size(), amounts.size());
    for (std::size_t s = 0; s < paths.size(); ++s) EXPECT_NEAR(found[s], amounts[s], 1e-12);
  }
}

}  // namespace
}  // namespace hinge
