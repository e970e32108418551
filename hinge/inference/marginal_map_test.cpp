#include "hinge/inference/marginal_map.h"

#include <gtest/gtest.h>

#include "hinge/inference/context_chain.h"
#include "hinge/inference/enumeration.h"
#include "hinge/inference/path_search.h"
#include "tests/support/chains.h"

namespace hinge {
namespace {

static_assert(HidingEngine<Chain> && HidingEngine<ContextChain>);

double total(const ContextCounts& counts, const ContextScores& scores) {
  double sum = 0;
  counts.for_each_node([&](std::size_t t, int k, double amount) { sum += amount * scores.node(t)[k]; });
  counts.for_each_pattern([&](Index p, double amount) { sum += amount * scores.patterns()[p]; });
  return sum;
}

ContextScores random_contexts(std::size_t length, const std::shared_ptr<const ContextGraph>& graph,
                              double scale, Random& random) {
  ContextScores scores;
  scores.shape(length, graph);
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t k = 0; k < graph->labels(); ++k) scores.node(t)[k] = scale * random.normal();
  Vector patterns(graph->patterns());
  for (double& weight : patterns) weight = scale * random.normal();
  scores.set_patterns(patterns.data());
  return scores;
}

// The value, the winner's outputs and the mean of other scores under its hidden parts.
template <class E>
void expect_enumeration(const typename E::Scores& scores, double latent, const typename E::Scores& other) {
  E engine;
  typename E::Counts counts;
  Enumeration<E> reference(engine, scores);
  const double expected = reference.solve(scores, 0, latent);
  const double value = engine.solve(scores, 0, latent, counts);
  EXPECT_TRUE(engine.answer().exact);
  if (expected == kForbidden) {
    EXPECT_EQ(value, kForbidden);
    return;
  }
  const double rounding = 1e-11 * (1 + std::abs(expected)) * (1 + 1 / latent);
  EXPECT_NEAR(value, expected, rounding);
  EXPECT_NEAR(total(counts, other), reference.mean(other), rounding);
  EXPECT_EQ(E::outputs(scores, counts.structure()), E::outputs(scores, reference.winner()));
}

// Small enough for the search to end, so that it must be exact.
TEST(MarginalMap, StatesOfALabelEqualEnumeration) {
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    for (double scale : {0.0, 0.3, 2.0, 300.0})
      for (double latent : {0.2, 1.0}) {
        const std::size_t states = 2 + seed % 2, length = 1 + seed % 5;
        ChainScores scores = random_chain(length, 2 * states, scale, seed);
        Random random(seed);
        for (std::size_t t = 0; t < length; ++t)  // without ties
          for (std::size_t k = 0; k < 2 * states; ++k) scores.node(t)[k] += 0.01 * random.normal();
        scores.share_labels(states);
        if (seed % 3 == 0) scores.hide(seed % length);
        if (seed % 4 == 0) scores.node(length - 1)[0] = kForbidden;
        if (seed % 5 == 0) scores.edge(1)[1] = kForbidden;
        expect_enumeration<Chain>(scores, latent, random_chain(length, 2 * states, 1, seed + 1000));
      }
}

TEST(MarginalMap, HiddenPositionsOfContextsEqualEnumeration) {
  for (std::uint64_t seed = 0; seed < 96; ++seed)
    for (double scale : {0.5, 3.0, 300.0})
      for (double latent : {0.2, 1.0}) {
        Random random(seed);
        const std::size_t labels = 2 + seed % 2, length = 2 + seed % 5, order = 2 + seed / 2 % 2;
        std::vector<Path> ngrams;
        for (std::size_t n = 3; n <= order + 1; ++n)
          for_each_path(n, labels, [&](const Path& path) {
            if (random.below(2) == 0) ngrams.push_back(path);
          });
        const auto graph = std::make_shared<const ContextGraph>(labels, ngrams);
        ContextScores scores = random_contexts(length, graph, scale, random);
        for (std::size_t t = 0; t < length; ++t)
          if (random.below(2) == 0) scores.hide(t);
        if (seed % 4 == 0) scores.node(length - 1)[0] = kForbidden;
        expect_enumeration<ContextChain>(scores, latent, random_contexts(length, graph, 1, random));
      }
}

// The most probable labels are not those of the most probable states: two states share what one alone wins.
TEST(MarginalMap, IsNotWhatTheBestPathShows) {
  ChainScores scores;
  scores.shape(1, 4);
  scores.share_labels(2);
  scores.node(0)[0] = 1;
  scores.node(0)[1] = -50;
  scores.node(0)[2] = scores.node(0)[3] = 0.9;
  Chain chain;
  ChainCounts counts;
  EXPECT_NEAR(chain.solve(scores, 0, 1, counts), 0.9 + std::log(2), 1e-12);
  EXPECT_EQ(Chain::outputs(scores, counts.structure()), Path{1});
  EXPECT_TRUE(chain.answer().exact);
  EXPECT_TRUE(Chain::may_approximate(scores, 0, 1));
  EXPECT_FALSE(Chain::may_approximate(scores, 1, 1));
}

// Many positions that all know of each other through their states: the search ends before it has proved
// anything, says so, and answers with outputs whose value it tells truly.
TEST(MarginalMap, SaysWhereItDidNotEnd) {
  std::size_t approximate = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    ChainScores scores = random_chain(60, 12, 0.6, seed);
    scores.share_labels(4);
    Chain chain;
    ChainCounts counts;
    const double value = chain.solve(scores, 0, 1, counts);
    approximate += !chain.answer().exact;
    const Path outputs = Chain::outputs(scores, counts.structure());
    ChainScores clamped = scores;
    for (std::size_t t = 0; t < 60; ++t)
      for (std::size_t k = 0; k < 12; ++k)
        if (scores.output(t, k) != outputs[t]) clamped.node(t)[k] = kForbidden;
    EXPECT_NEAR(chain.solve(clamped, 1, 1, counts), value, 1e-10);
    // no label alone is better
    for (std::size_t t = 0; t < 60; ++t)
      for (int label = 0; label < 3; ++label) {
        ChainScores changed = clamped;
        for (std::size_t k = 0; k < 12; ++k)
          changed.node(t)[k] = scores.output(t, k) == label ? scores.node(t)[k] : kForbidden;
        EXPECT_LE(chain.solve(changed, 1, 1, counts), value + 1e-9);
      }
  }
  EXPECT_GT(approximate, 0u);
}

}  // namespace
}  // namespace hinge
