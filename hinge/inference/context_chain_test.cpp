#include "hinge/inference/context_chain.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "hinge/core/random.h"
#include "hinge/inference/chain.h"
#include "hinge/inference/enumeration.h"
#include "hinge/oracle/task.h"

namespace hinge {
namespace {

static_assert(Engine<ContextChain> && Enumerable<ContextChain> && !SlackEngine<ContextChain>);

using Graph = std::shared_ptr<const ContextGraph>;

std::vector<Path> all_ngrams(std::size_t labels, std::size_t order) {
  std::vector<Path> ngrams;
  ContextScores scores;
  for (std::size_t length = 3; length <= order + 1; ++length) {
    scores.shape(length, std::make_shared<const ContextGraph>(labels, std::vector<Path>{}));
    ContextChain::for_each_structure(scores, [&](const Path& path) { ngrams.push_back(path); });
  }
  return ngrams;
}

// Some of all n-grams, longer ones also without the shorter ones in them.
Graph random_graph(std::size_t labels, std::size_t order, double share, Random& random) {
  std::vector<Path> ngrams = all_ngrams(labels, order);
  std::erase_if(ngrams, [&](const Path&) { return random.uniform() >= share; });
  return std::make_shared<const ContextGraph>(labels, std::move(ngrams));
}

ContextScores random_scores(std::size_t length, const Graph& graph, double scale, Random& random) {
  ContextScores scores;
  scores.shape(length, graph);
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t k = 0; k < graph->labels(); ++k) scores.node(t)[k] = scale * random.normal();
  Vector patterns(graph->patterns());
  for (double& weight : patterns) weight = scale * random.normal();
  scores.set_patterns(patterns.data());
  return scores;
}

// The score by its definition: every pattern looked for at every position.
double by_definition(const ContextScores& scores, const Path& path) {
  const ContextGraph& graph = *scores.graph();
  const std::size_t K = graph.labels();
  double sum = 0;
  for (std::size_t t = 0; t < path.size(); ++t) {
    sum += scores.node(t)[path[t]];
    if (t > 0) sum += scores.patterns()[path[t - 1] * K + path[t]];
    for (std::size_t i = 0; i < graph.ngrams().size(); ++i) {
      const Path& ngram = graph.ngrams()[i];
      if (t + 1 >= ngram.size() && std::equal(ngram.rbegin(), ngram.rend(), path.rend() - (t + 1)))
        sum += scores.patterns()[K * K + i];
    }
  }
  return sum;
}

double mean(const ContextCounts& counts, const ContextScores& other) {
  double sum = 0;
  counts.for_each_node([&](std::size_t t, int k, double amount) { sum += amount * other.node(t)[k]; });
  counts.for_each_pattern([&](Index p, double amount) { sum += amount * other.patterns()[p]; });
  return sum;
}

void forbid_some(ContextScores& scores, Random& random) {
  for (std::size_t t = 0; t < scores.length(); ++t) {
    const std::size_t kept = random.below(scores.labels());
    for (std::size_t k = 0; k < scores.labels(); ++k)
      if (k != kept && random.uniform() < 0.5) scores.node(t)[k] = kForbidden;
  }
}

struct Case {
  std::size_t labels, length, order;
  double share;
};

std::vector<Case> cases() {
  std::vector<Case> list;
  for (std::size_t labels : {1, 2, 3, 4})
    for (std::size_t length : {1, 2, 3, 4, 6})
      for (std::size_t order : {2, 3})
        for (double share : {0.0, 0.2, 0.6, 1.0}) list.push_back({labels, length, order, share});
  return list;
}

TEST(ContextGraph, ScoresByDefinition) {
  Random random(1);
  for (const auto& [labels, length, order, share] : cases()) {
    const auto scores = random_scores(length, random_graph(labels, order, share, random), 1, random);
    ContextChain::for_each_structure(
        scores, [&](const Path& path) { EXPECT_NEAR(scores.of(path), by_definition(scores, path), 1e-13); });
  }
}

TEST(ContextGraph, NumbersSuffixesAndParentsFirst) {
  Random random(2);
  for (std::size_t order : {1, 2, 3, 4}) {
    const Graph graph = random_graph(3, order, 0.3, random);
    std::size_t members = 0;
    for (std::size_t g = 0; g < graph->groups(); ++g) {
      const auto& group = graph->group(g);
      EXPECT_TRUE(g == 0 || group.parent < g);
      EXPECT_TRUE(group.size() == 0 || group.first == members);
      members += graph->group(g).size();
    }
    EXPECT_EQ(members, graph->size());
    std::size_t singles = 0, entered = 0;
    for (std::size_t s = 0; s < graph->size(); ++s) {
      singles += graph->suffix(s) == ContextGraph::kNone;
      EXPECT_TRUE(graph->suffix(s) == ContextGraph::kNone || graph->suffix(s) < s);
      for (Index g : graph->entering(s)) {
        EXPECT_EQ(graph->next(graph->group(g).first, graph->label(s)), s);
        ++entered;
      }
    }
    EXPECT_EQ(singles, 3u);
    EXPECT_LE(entered, graph->groups() * 3);
  }
}

TEST(ContextGraph, SavesItsNgrams) {
  Random random(3);
  for (double share : {0.0, 0.4}) {
    const Graph graph = random_graph(3, 3, share, random);
    Archive archive;
    graph->save(archive);
    EXPECT_EQ(ContextGraph::load(3, archive)->ngrams(), graph->ngrams());
    if (share == 0) continue;
    EXPECT_THROW(ContextGraph::load(2, archive), InputError);
    archive.arrays["ngrams.length"] = std::vector<std::uint32_t>{3, 3, 0xffffffff};
    EXPECT_THROW(ContextGraph::load(3, archive), InputError);
    archive.arrays["ngrams.length"] = std::vector<std::uint32_t>{3};
    EXPECT_THROW(ContextGraph::load(3, archive), InputError);
  }
}

TEST(ContextGraph, SeesOnlyKnownStretches) {
  const std::vector<Path> sequences = {{0, 1, 2, 0}, {1, 1, -1, 1, 1, 1}, {0, 1}, {}};
  const std::vector<Path> third = {{0, 1, 2}, {1, 1, 1}, {1, 2, 0}};
  EXPECT_EQ(seen_ngrams(sequences, 1), std::vector<Path>{});
  EXPECT_EQ(seen_ngrams(sequences, 2), third);
  std::vector<Path> fourth = third;
  fourth.insert(fourth.begin() + 1, {0, 1, 2, 0});
  EXPECT_EQ(seen_ngrams(sequences, 3), fourth);
}

TEST(ContextChain, EqualsEnumeration) {
  Random random(4);
  ContextChain engine;
  ContextCounts counts;
  for (const auto& [labels, length, order, share] : cases())
    for (double temperature : {0.0, 0.1, 1.0, 3.0})
      for (bool forbidding : {false, true}) {
        const Graph graph = random_graph(labels, order, share, random);
        auto scores = random_scores(length, graph, 2, random);
        const auto other = random_scores(length, graph, 1, random);
        if (forbidding) forbid_some(scores, random);
        Enumeration<ContextChain> reference(engine, scores);
        // A mean under exp(score / τ) multiplies the rounding of a score by 1 / τ.
        const double rounding = 1e-12 * (temperature == 0 ? 1 : 1 + 1 / temperature);
        const double value = engine.solve(scores, temperature, 1, counts);
        EXPECT_NEAR(value, reference.solve(scores, temperature), rounding);
        EXPECT_NEAR(mean(counts, other), reference.mean(other), rounding);
        EXPECT_EQ(counts.hard(), temperature == 0);
        if (counts.hard()) {
          EXPECT_EQ(counts.structure(), reference.winner());
        }
      }
}

// Scores so far apart that products would underflow: the sums by logarithms.
TEST(ContextChain, EqualsEnumerationAtEveryRange) {
  Random random(5);
  ContextChain engine;
  ContextCounts counts;
  for (std::size_t length : {1, 2, 5})
    for (double temperature : {0.01, 1.0})
      for (bool forbidding : {false, true}) {
        const Graph graph = random_graph(3, 3, 0.4, random);
        auto scores = random_scores(length, graph, 500, random);
        const auto other = random_scores(length, graph, 1, random);
        if (forbidding) forbid_some(scores, random);
        Enumeration<ContextChain> reference(engine, scores);
        const double rounding = 1e-12 * 3000 * (1 + 1 / temperature);
        EXPECT_NEAR(engine.solve(scores, temperature, 1, counts), reference.solve(scores, temperature),
                    rounding);
        EXPECT_NEAR(mean(counts, other), reference.mean(other), rounding);
      }
}

// Nodes far apart and steps near each other: still by products, whatever underflows.
TEST(ContextChain, KeepsWhatCountsWhenNodesAreFarApart) {
  Random random(6);
  ContextChain engine;
  ContextCounts counts;
  const Graph graph = random_graph(3, 2, 0.5, random);
  auto scores = random_scores(6, graph, 10, random);
  for (std::size_t t = 0; t < 6; ++t)
    for (std::size_t k = 0; k < 3; ++k) scores.node(t)[k] = 2000 * random.normal();
  const auto other = random_scores(6, graph, 1, random);
  Enumeration<ContextChain> reference(engine, scores);
  EXPECT_NEAR(engine.solve(scores, 1, 1, counts), reference.solve(scores, 1), 1e-12 * 20000);
  EXPECT_NEAR(mean(counts, other), reference.mean(other), 1e-12 * 20000);
}

TEST(ContextChain, SubtractsAndScales) {
  Random random(7);
  ContextChain engine;
  ContextCounts counts;
  for (std::size_t order : {2, 3})
    for (double temperature : {0.0, 1.0})
      for (int repeat = 0; repeat < 40; ++repeat) {
        const Graph graph = random_graph(3, order, 0.5, random);
        const auto scores = random_scores(12, graph, 1, random), other = random_scores(12, graph, 1, random);
        engine.solve(scores, temperature, 0, counts);
        const double before = mean(counts, other);
        Path truth = temperature == 0 ? counts.structure() : Path(12, 1);
        for (std::size_t change = random.below(4); change > 0; --change)
          truth[random.below(12)] = static_cast<int>(random.below(3));
        counts.subtract(truth);
        counts.scale(0.5);
        EXPECT_NEAR(mean(counts, other), 0.5 * (before - other.of(truth)), 1e-12 * 20);
      }
}

TEST(ContextChain, ListsOnlyWhereHardAnswersDiffer) {
  Random random(8);
  const Graph graph = random_graph(2, 3, 1, random);
  ContextScores scores;
  scores.shape(100, graph);
  for (std::size_t t = 0; t < 100; ++t) scores.node(t)[0] = 1;
  ContextChain engine;
  ContextCounts counts;
  engine.solve(scores, 0, 0, counts);
  Path truth(100, 0);
  truth[40] = truth[42] = 1;
  counts.subtract(truth);
  std::size_t listed = 0;
  counts.for_each_pattern([&](Index, double) { ++listed; });
  EXPECT_EQ(listed, 2u * 3u * 6u);  // two paths, patterns of 2, 3 and 4 labels, that end at 40 … 45
}

TEST(ContextChain, WithoutNgramsIsAChain) {
  Random random(9);
  ContextChain engine;
  ContextCounts counts;
  Chain chain;
  ChainCounts chain_counts;
  for (std::size_t labels : {1, 2, 5, 9})
    for (std::size_t length : {1, 2, 7}) {
      const auto graph = std::make_shared<const ContextGraph>(labels, std::vector<Path>{});
      EXPECT_EQ(graph->size(), labels);
      EXPECT_EQ(graph->groups(), 1u);
      const auto scores = random_scores(length, graph, 1, random);
      ChainScores first;
      first.shape(length, labels);
      for (std::size_t t = 0; t < length; ++t) std::copy_n(scores.node(t), labels, first.node(t));
      for (std::size_t a = 0; a < labels; ++a)
        std::copy_n(scores.patterns().data() + a * labels, labels, first.edge(a));

      EXPECT_EQ(engine.solve(scores, 0, 0, counts), chain.solve(first, 0, 0, chain_counts));
      EXPECT_EQ(counts.structure(), chain_counts.structure());
      EXPECT_EQ(engine.top(scores, 20), chain.top(first, 20));
      EXPECT_NEAR(engine.solve(scores, 0.7, 0, counts), chain.solve(first, 0.7, 0, chain_counts), 1e-13 * 20);
      for (std::size_t t = 0; t < length; ++t)
        for (std::size_t k = 0; k < labels; ++k)
          EXPECT_NEAR(counts.node(t)[k], chain_counts.node(t)[k], 1e-13);
      Vector pairs(labels * labels);
      chain_counts.for_each_edge([&](int a, int b, double amount) { pairs[a * labels + b] = amount; });
      counts.for_each_pattern([&](Index p, double amount) { EXPECT_NEAR(amount, pairs[p], 1e-13 * 20); });
    }
}

// Every context of two labels: Viterbi over pairs, written out.
TEST(ContextChain, WithAllTrigramsIsADenseSecondOrder) {
  Random random(10);
  constexpr std::size_t K = 5, T = 9;
  const auto graph = std::make_shared<const ContextGraph>(K, all_ngrams(K, 2));
  EXPECT_EQ(graph->size(), K + K * K);
  const auto scores = random_scores(T, graph, 1, random);
  const auto pair = [&](std::size_t a, std::size_t b) { return scores.patterns()[a * K + b]; };
  double best[K][K], next[K][K];
  for (std::size_t a = 0; a < K; ++a)
    for (std::size_t b = 0; b < K; ++b) best[a][b] = scores.node(0)[a] + pair(a, b) + scores.node(1)[b];
  for (std::size_t t = 2; t < T; ++t) {
    for (std::size_t b = 0; b < K; ++b)
      for (std::size_t c = 0; c < K; ++c) {
        next[b][c] = kForbidden;
        for (std::size_t a = 0; a < K; ++a)
          next[b][c] =
              std::max(next[b][c], best[a][b] + pair(b, c) + scores.patterns()[K * K + (a * K + b) * K + c]);
        next[b][c] += scores.node(t)[c];
      }
    std::copy_n(&next[0][0], K * K, &best[0][0]);
  }
  ContextChain engine;
  ContextCounts counts;
  EXPECT_NEAR(engine.solve(scores, 0, 0, counts), kernels::maximum(&best[0][0], K * K), 1e-13 * 20);
  EXPECT_NEAR(scores.of(counts.structure()), kernels::maximum(&best[0][0], K * K), 1e-13 * 20);
}

TEST(ContextChain, FindsTheBestPathsInOrder) {
  Random random(11);
  ContextChain engine;
  for (const auto& [labels, length, order, share] : cases())
    for (bool forbidding : {false, true}) {
      auto scores = random_scores(length, random_graph(labels, order, share, random), 1, random);
      if (forbidding) forbid_some(scores, random);
      scores.beam = 1;
      std::vector<std::pair<Path, double>> all;
      ContextChain::for_each_structure(scores, [&](const Path& path) {
        if (scores.of(path) != kForbidden) all.emplace_back(path, scores.of(path));
      });
      std::ranges::sort(all, [](const auto& a, const auto& b) { return a.second > b.second; });
      const auto found = engine.top(scores, 30);
      ASSERT_EQ(found.size(), std::min<std::size_t>(30, all.size()));
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].first, all[i].first);
        EXPECT_NEAR(found[i].second, all[i].second, 1e-13 * 20);
      }
    }
}

TEST(ContextChain, BeamKeepsTheBest) {
  Random random(12);
  ContextChain engine;
  ContextCounts counts;
  for (int repeat = 0; repeat < 30; ++repeat) {
    const Graph graph = random_graph(4, 3, 0.2, random);
    auto scores = random_scores(10, graph, 1, random);
    const double exact = engine.solve(scores, 0, 0, counts);
    EXPECT_TRUE(engine.answer().exact);
    EXPECT_FALSE(ContextChain::may_approximate(scores, 0, 0));
    const Path path = counts.structure();
    scores.beam = graph->size();
    EXPECT_EQ(engine.solve(scores, 0, 0, counts), exact);
    EXPECT_TRUE(engine.answer().exact);
    EXPECT_EQ(counts.structure(), path);
    for (std::size_t beam : {1, 3}) {
      scores.beam = beam;
      const double value = engine.solve(scores, 0, 0, counts);
      EXPECT_LE(value, exact);
      EXPECT_NEAR(value, scores.of(counts.structure()), 1e-13 * 20);
      EXPECT_FALSE(engine.answer().exact);
      EXPECT_TRUE(ContextChain::may_approximate(scores, 0, 0));
      engine.solve(scores, 1, 1, counts);  // sums keep all contexts
      EXPECT_TRUE(engine.answer().exact);
      EXPECT_FALSE(ContextChain::may_approximate(scores, 1, 1));
    }
  }
}

// A beam that holds whatever is possible cuts nothing: of a label that is known no context but one.
TEST(ContextChain, ABeamThatCutsNothingIsExact) {
  Random random(14);
  ContextChain engine;
  ContextCounts counts;
  std::size_t cut = 0;
  for (int repeat = 0; repeat < 200; ++repeat) {
    const Graph graph = random_graph(3, 2, 0.4, random);
    auto scores = random_scores(5, graph, 1, random);
    forbid_some(scores, random);
    const double exact = engine.solve(scores, 0, 0, counts);
    scores.beam = 2;
    const double value = engine.solve(scores, 0, 0, counts);
    if (engine.answer().exact)
      EXPECT_EQ(value, exact);
    else
      ++cut;
  }
  EXPECT_GT(cut, 10u);
  EXPECT_LT(cut, 190u);
}

TEST(ContextChain, NothingIsUsedWhenEverythingIsForbidden) {
  Random random(13);
  const Graph graph = random_graph(3, 2, 0.5, random);
  auto scores = random_scores(4, graph, 1, random);
  std::fill_n(scores.node(2), 3, kForbidden);
  ContextChain engine;
  ContextCounts counts;
  EXPECT_EQ(engine.solve(scores, 0, 0, counts), kForbidden);
  EXPECT_EQ(counts.structure().size(), 4u);
  EXPECT_EQ(engine.solve(scores, 1, 0, counts), kForbidden);
  EXPECT_EQ(mean(counts, random_scores(4, graph, 1, random)), 0);
  EXPECT_TRUE(engine.top(scores, 3).empty());
  scores.shape(0, graph);
  EXPECT_EQ(engine.solve(scores, 0, 0, counts), 0);
  EXPECT_EQ(engine.solve(scores, 1, 0, counts), 0);
  EXPECT_EQ(mean(counts, scores), 0);
}

}  // namespace
}  // namespace hinge
