#include "hinge/inference/path_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "hinge/inference/context_chain.h"
#include "tests/support/chains.h"

namespace hinge {
namespace {

// Scores that tie: small whole numbers, so that every sum is exact.
ChainScores whole_chain(std::size_t length, std::size_t labels, std::size_t range, std::uint64_t seed) {
  Random random(seed);
  ChainScores scores;
  scores.shape(length, labels);
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t k = 0; k < labels; ++k) scores.node(t)[k] = static_cast<double>(random.below(range));
  for (std::size_t a = 0; a < labels; ++a)
    for (std::size_t b = 0; b < labels; ++b) scores.edge(a)[b] = static_cast<double>(random.below(range));
  return scores;
}

ContextScores whole_contexts(std::size_t length, std::size_t labels, std::size_t range, std::uint64_t seed) {
  Random random(seed);
  std::vector<Path> ngrams;
  for_each_path(3, labels, [&](const Path& path) {
    if (random.below(2) == 0) ngrams.push_back(path);
  });
  ContextScores scores;
  scores.shape(length, std::make_shared<const ContextGraph>(labels, std::move(ngrams)));
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t k = 0; k < labels; ++k) scores.node(t)[k] = static_cast<double>(random.below(range));
  Vector patterns(scores.graph()->patterns());
  for (double& weight : patterns) weight = static_cast<double>(random.below(range));
  scores.set_patterns(patterns.data());
  return scores;
}

// As many as there are, up to k, all different, with the scores of the k best of all; the first is the one
// that maximising finds.
template <class E>
void expect_best(const typename E::Scores& scores, std::size_t k) {
  Vector all;
  E::for_each_structure(scores, [&](const Path& path) {
    if (scores.of(path) != kForbidden) all.push_back(scores.of(path));
  });
  std::ranges::sort(all, std::greater());
  E engine;
  typename E::Counts counts;
  engine.solve(scores, 0, 0, counts);
  const auto top = engine.top(scores, k);
  ASSERT_EQ(top.size(), std::min(k, all.size()));
  std::set<Path> different;
  for (std::size_t i = 0; i < top.size(); ++i) {
    EXPECT_EQ(top[i].second, all[i]);
    EXPECT_EQ(scores.of(top[i].first), all[i]);
    different.insert(top[i].first);
  }
  EXPECT_EQ(different.size(), top.size());
  if (!top.empty()) {
    EXPECT_EQ(top[0].first, counts.structure());
  }
}

TEST(BestPaths, AreTheBestOfAllWhereScoresTie) {
  for (std::uint64_t seed = 0; seed < 30; ++seed)
    for (std::size_t range : {1u, 2u, 5u})
      for (std::size_t k : {1u, 2u, 7u, 300u}) {
        ChainScores chain = whole_chain(1 + seed % 6, 1 + seed % 4, range, seed);
        expect_best<Chain>(chain, k);
        chain.node(seed % chain.length())[0] = kForbidden;
        expect_best<Chain>(chain, k);
        ContextScores contexts = whole_contexts(1 + seed % 5, 1 + seed % 3, range, seed);
        expect_best<ContextChain>(contexts, k);
        contexts.node(seed % contexts.length())[0] = kForbidden;
        expect_best<ContextChain>(contexts, k);
      }
}

// 3^2000 paths have the same score; what is kept must not grow with their number.
TEST(BestPaths, OfLongSequencesWithoutScores) {
  constexpr std::size_t kLength = 2000, kBest = 40;
  const auto expect_ties = [&](const std::vector<std::pair<Path, double>>& top) {
    ASSERT_EQ(top.size(), kBest);
    std::set<Path> different;
    for (const auto& [path, score] : top) {
      EXPECT_EQ(path.size(), kLength);
      EXPECT_EQ(score, 0);
      different.insert(path);
    }
    EXPECT_EQ(different.size(), kBest);
  };
  expect_ties(Chain().top(whole_chain(kLength, 3, 1, 1), kBest));
  expect_ties(ContextChain().top(whole_contexts(kLength, 3, 1, 1), kBest));
}

// Sums whose rounding depends on their order: ties but for the last bits.
TEST(BestPaths, OfScoresThatNearlyTie) {
  ChainScores scores;
  scores.shape(400, 3);
  for (std::size_t t = 0; t < 400; ++t) std::fill_n(scores.node(t), 3, 0.1 * static_cast<double>(1 + t % 7));
  const auto top = Chain().top(scores, 50);
  ASSERT_EQ(top.size(), 50u);
  for (std::size_t i = 0; i < top.size(); ++i) {
    EXPECT_EQ(top[i].second, scores.of(top[i].first));
    EXPECT_LE(top[i].second, top[0].second);
  }
}

}  // namespace
}  // namespace hinge
