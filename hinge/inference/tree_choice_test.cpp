#include "hinge/inference/tree_choice.h"

#include <gtest/gtest.h>

#include <set>

#include "hinge/core/random.h"
#include "hinge/inference/enumeration.h"

namespace hinge {
namespace {

// Nodes with one parent each, or with some that have up to three; a root or several.
std::vector<std::vector<Index>> random_parents(std::size_t nodes, bool tree, Random& random) {
  std::vector<std::vector<Index>> parents(nodes);
  for (Index z = 1; z < nodes; ++z) {
    std::set<Index> own;
    for (std::size_t k = tree ? 1 : 1 + random.below(3); k > 0; --k)
      own.insert(static_cast<Index>(random.below(z)));
    parents[z].assign(own.begin(), own.end());
  }
  return parents;
}

std::set<Index> all_above(const std::vector<std::vector<Index>>& parents, Index z) {
  std::set<Index> found = {z};
  for (const Index p : parents[z]) found.merge(all_above(parents, p));
  return found;
}

TEST(Hierarchy, KnowsWhatIsAboveBelowAndHowFar) {
  Random random(1);
  for (int repeat = 0; repeat < 60; ++repeat) {
    const std::size_t nodes = 1 + random.below(9);
    const auto parents = random_parents(nodes, repeat % 2 == 0, random);
    std::vector<Index> answers = {static_cast<Index>(nodes - 1)};
    const Hierarchy hierarchy(parents, answers);
    std::vector<std::vector<Index>> far(nodes, std::vector<Index>(nodes, 1000));  // Floyd and Warshall
    for (Index z = 0; z < nodes; ++z) {
      far[z][z] = 0;
      for (const Index p : parents[z]) far[z][p] = far[p][z] = 1;
    }
    for (Index k = 0; k < nodes; ++k)
      for (Index a = 0; a < nodes; ++a)
        for (Index b = 0; b < nodes; ++b) far[a][b] = std::min(far[a][b], far[a][k] + far[k][b]);
    std::vector<Index> distances;
    std::vector<char> below;
    for (Index a = 0; a < nodes; ++a) {
      std::multiset<Index> seen;
      hierarchy.for_each_above(a, [&](Index z) { seen.insert(z); });
      const std::set<Index> expected = all_above(parents, a);
      EXPECT_EQ(seen, std::multiset<Index>(expected.begin(), expected.end()));
      std::size_t most = 0;  // above one parent: what the sum over the others adds to
      for (const Index p : parents[a]) most = std::max(most, all_above(parents, p).size());
      EXPECT_EQ(hierarchy.more(a).size(), expected.size() - 1 - most);
      EXPECT_EQ(hierarchy.first_parent(a), parents[a].empty() ? Hierarchy::kNone : parents[a][0]);
      hierarchy.distances(a, distances);
      hierarchy.below(a, below);
      for (Index b = 0; b < nodes; ++b) {
        EXPECT_EQ(distances[b], far[a][b]);
        EXPECT_EQ(hierarchy.distance(a, b), far[a][b]);
        EXPECT_EQ(hierarchy.above(b, a), expected.contains(b));
        EXPECT_EQ(below[b] != 0, all_above(parents, b).contains(a));
      }
    }
  }
}

TEST(TreeChoice, IsThatOfEnumeration) {
  Random random(2);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const std::size_t nodes = 1 + random.below(9);
    std::vector<Index> answers;
    for (Index z = 0; z < nodes; ++z)
      if (z + 1 == nodes || random.uniform() < 0.6) answers.push_back(z);
    const Hierarchy hierarchy(random_parents(nodes, repeat % 3 == 0, random), answers);
    TreeChoice::Scores scores, losses, other;
    for (auto* each : {&scores, &losses, &other}) each->shape(hierarchy);
    for (Index z = 0; z < nodes; ++z) {
      scores.node[z] = random.normal();
      other.node[z] = random.normal();
      scores.extra[z] = random.uniform() < 0.15 && z + 1 < nodes ? kForbidden : random.normal();
      losses.extra[z] = 2 * random.uniform();
    }
    if (repeat % 2 == 0)
      for (Index z = 0; z < nodes; ++z) scores.one.push_back(random.uniform() < 0.5);
    const auto use_of = [&](const TreeChoice::Counts& counts) {  // of other scores
      double sum = 0;
      if (counts.soft())
        for (Index z = 0; z < nodes; ++z) sum += counts.amounts()[z] * other.node[z];
      else
        for (const auto& [z, amount] : counts.uses()) sum += amount * other.node[z];
      return sum;
    };
    TreeChoice engine;
    TreeChoice::Counts counts;
    Enumeration<TreeChoice> all(engine, scores);
    for (const double output : {0.0, 0.3, 1.0})
      for (const double latent : {0.0, 0.3, 1.0}) {
        if (scores.one.empty() && latent != output) continue;
        const double value = engine.solve(scores, output, latent, counts);
        EXPECT_NEAR(value, all.solve(scores, output, latent), 1e-12 * (1 + std::abs(value)));
        const double mean = all.mean(other);
        EXPECT_NEAR(use_of(counts), mean, 1e-11);
        counts.subtract(answers[0]);
        EXPECT_NEAR(use_of(counts), mean - other.of(answers[0]), 1e-11);
        counts.scale(2);
        EXPECT_NEAR(use_of(counts), 2 * (mean - other.of(answers[0])), 1e-11);
      }
    const double reference = random.normal(), value = engine.solve_slack(scores, losses, reference, counts);
    EXPECT_NEAR(value, all.solve_slack(scores, losses, reference), 1e-12 * (1 + std::abs(value)));
    EXPECT_EQ(counts.structure(), all.winner());
    EXPECT_NEAR(use_of(counts), all.mean(other), 1e-12);
  }
}

}  // namespace
}  // namespace hinge
