#include "hinge/inference/chart.h"

#include <gtest/gtest.h>

#include <set>

#include "hinge/inference/engine.h"
#include "hinge/inference/enumeration.h"
#include "tests/support/allocations.h"
#include "tests/support/charts.h"

namespace hinge {
namespace {

static_assert(FlatEngine<Chart> && Enumerable<Chart>);

// The chart's answer is that of the forest, which knows nothing of rows, pairs and products.
void expect_forest(const ChartScores& scores, double temperature, Chart::Way way) {
  Chart chart;
  ChartCounts counts;
  const ChartForest forest(scores);
  ForestSweep sweep;
  ForestCounts expected;
  const double value = sweep.solve(forest.scores, temperature, temperature, expected);
  const double found = chart.solve(scores, temperature, temperature, counts);
  if (value == kForbidden) {
    EXPECT_EQ(found, kForbidden);
    EXPECT_TRUE(counts.structure().empty());
    return;
  }
  const double size = 1 + std::abs(value);
  EXPECT_NEAR(found, value, 1e-12 * size);
  EXPECT_EQ(chart.answer().way, way) << temperature;
  EXPECT_TRUE(chart.answer().exact);
  const ChartScores other = random_scores(scores.grammar(), scores.words(), 1, 99);
  const double spread = temperature == 0 ? 1 : 1 + size / temperature;
  EXPECT_NEAR(total(counts, other), forest.total(expected, other), 1e-11 * spread);
  if (temperature == 0) {
    EXPECT_NEAR(scores.of(counts.structure()), value, 1e-12 * size);
    EXPECT_EQ(counts.structure(), forest.tree(expected.structure()));
  }
}

TEST(Chart, EqualsTheForest) {
  int trees = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const ChartGrammar grammar = random_grammar(seed, seed % 3 == 0 ? 0.15 : 0.5);
    const std::size_t words = 1 + seed % 9;
    const ChartScores scores = random_scores(grammar, words, 1, seed, seed % 2 == 0);
    expect_forest(scores, 0, Chart::kMaxima);
    expect_forest(scores, 0.3, Chart::kProducts);
    expect_forest(scores, 1, Chart::kProducts);
    ChartCounts counts;
    trees += Chart().solve(scores, 0, 0, counts) != kForbidden;
  }
  EXPECT_GT(trees, 40);
}

// Where exponentials are no numbers any more.
TEST(Chart, EqualsTheForestAtEveryRange) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const ChartGrammar grammar = random_grammar(seed);
    expect_forest(random_scores(grammar, 2 + seed % 6, 300, seed), 0.3, Chart::kLogarithms);
    ChartScores one = random_scores(grammar, 5, 1, seed);
    one.lexical(2)[0] = -1e4;
    expect_forest(one, 1, Chart::kLogarithms);
  }
}

TEST(Chart, EqualsTheForestWhereSomethingIsForbidden) {
  int possible = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const ChartGrammar grammar = random_grammar(seed);
    const std::size_t words = 2 + seed % 5;
    ChartScores scores = random_scores(grammar, words, 1, seed);
    Random random(seed);
    for (std::size_t u = 0; u < scores.spans() * grammar.steps(); ++u)
      if (random.below(4) == 0) scores.unary(0, 1)[u] = kForbidden;
    for (std::size_t j = 2; j <= words; ++j)
      if (random.below(3) == 0) std::fill_n(scores.unary(j - 2, j), grammar.steps(), kForbidden);
    for (std::size_t i = 0; i < words; ++i) scores.lexical(i)[random.below(2)] = kForbidden;
    expect_forest(scores, 0, Chart::kMaxima);
    expect_forest(scores, 1, Chart::kProducts);
    ChartCounts counts;
    possible += Chart().solve(scores, 1, 1, counts) != kForbidden;
  }
  EXPECT_GT(possible, 10);
  EXPECT_LT(possible, 60);
}

TEST(Chart, EqualsEnumeration) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const ChartGrammar grammar = random_grammar(seed, 0.25);
    const std::size_t words = 1 + seed % 4;
    const ChartScores scores = random_scores(grammar, words, 1, seed);
    Chart chart;
    Enumeration<Chart> reference(chart, scores);
    const ChartForest forest(scores);
    ASSERT_EQ(ForestSweep::structures(forest.scores), static_cast<double>(reference.structures().size()));
    if (reference.structures().empty()) continue;
    ChartCounts counts;
    for (const double temperature : {0.0, 0.5, 2.0}) {
      EXPECT_NEAR(chart.solve(scores, temperature, temperature, counts), reference.solve(scores, temperature),
                  1e-11);
      const ChartScores other = random_scores(grammar, words, 1, 7);
      EXPECT_NEAR(total(counts, other), reference.mean(other), 1e-10);
    }
    ++compared;
  }
  EXPECT_GT(compared, 20);
}

TEST(Chart, ListsTheBestTrees) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const ChartGrammar grammar = random_grammar(seed, 0.3);
    ChartScores scores = random_scores(grammar, 1 + seed % 5, 1, seed);
    if (seed % 3 == 0) scores.unary(0, 1)[1] = kForbidden;
    const ChartForest forest(scores);
    const auto expected = ForestSweep().top(forest.scores, 25);
    const auto found = Chart().top(scores, 25);
    ASSERT_EQ(found.size(), expected.size());
    std::set<ChartTree> seen;
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_NEAR(found[k].second, expected[k].second, 1e-11);
      EXPECT_NEAR(found[k].second, scores.of(found[k].first), 1e-11);
      EXPECT_TRUE(seen.insert(found[k].first).second) << "twice";
    }
    ChartCounts counts;
    Chart().solve(scores, 0, 0, counts);
    if (!found.empty()) {
      EXPECT_EQ(found[0].first, counts.structure());
    }
  }
}

TEST(Chart, SubtractsWhatItHasInCommon) {
  const ChartGrammar grammar = random_grammar(1);
  const ChartScores scores = random_scores(grammar, 6, 1, 2), other = random_scores(grammar, 6, 1, 3);
  const auto top = Chart().top(scores, 10);
  Chart chart;
  ChartCounts counts;
  for (const double temperature : {0.0, 1.0})
    for (const auto& [tree, score] : top) {
      chart.solve(scores, temperature, temperature, counts);
      const double before = total(counts, other);
      counts.subtract(tree);
      counts.scale(3);
      EXPECT_NEAR(total(counts, other), 3 * (before - other.of(tree)), 1e-10);
      int steps = 0;
      if (temperature == 0) counts.for_each_step([&](const ChartStep&, double) { ++steps; });
      EXPECT_LT(steps, 22);  // both trees have 11
      if (temperature == 0 && tree == counts.structure()) {
        EXPECT_EQ(steps, 0);
      }
    }
}

// No other tree has fewer chains and terminals expected to differ from the true one.
TEST(Chart, TheMostProbableTreeIsExpectedToDifferLeast) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const ChartGrammar grammar = random_grammar(seed, 0.25);
    const ChartScores scores = random_scores(grammar, 3, 2, seed);
    Chart chart;
    ChartCounts counts;
    if (chart.solve(scores, 1, 1, counts) == kForbidden) continue;
    const auto expected = [&](const ChartTree& tree) {
      double sum = 0;
      for (const ChartStep& step : tree) {
        if (step.unary != ChartGrammar::kBare) sum += 2 * counts.unary(step.begin, step.end)[step.unary] - 1;
        if (step.end - step.begin == 1) sum += counts.lexical(step.begin)[step.rule];
      }
      return sum;
    };
    const double best = expected(counts.most_probable());
    Chart::for_each_structure(scores, [&](const ChartTree& tree) {
      EXPECT_LE(expected(tree), best + 1e-12);
      ++compared;
    });
  }
  EXPECT_GT(compared, 100);
}

TEST(Chart, CoversWhatItCannotParse) {
  // S (2) → a b; c (terminal 1) stands nowhere: two pieces and a word.
  const ChartGrammar grammar(2, {1, 1, 0, 0}, 3, {{2, 0, 0, 0}}, {{2, 2}, {3, 2}});
  ChartScores scores;
  scores.shape(grammar, 5);
  for (std::size_t i = 0; i < 5; ++i) scores.lexical(i)[i == 2 ? 0 : 1] = kForbidden;
  Chart chart;
  ChartCounts counts;
  EXPECT_EQ(chart.solve(scores, 0, 0, counts), kForbidden);
  EXPECT_TRUE(counts.structure().empty());
  const auto pieces = chart.pieces(scores);
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[0], (ChartTree{{0, 2, 1, 0, 1}, {0, 1, 0, 0, 0}, {1, 2, 0, 0, 0}}));
  EXPECT_EQ(pieces[1], (ChartTree{{2, 3, 0, 1, 0}}));
  EXPECT_EQ(pieces[2].size(), 3u);
}

TEST(Chart, ABeamIsNoMoreThanAWideOneAndSaysSo) {
  const ChartGrammar grammar = random_grammar(4);
  int pruned = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const ChartScores scores = random_scores(grammar, 8, 1, seed);
    Chart chart;
    ChartCounts counts;
    const double exact = chart.solve(scores, 0, 0, counts), sum = chart.solve(scores, 1, 1, counts);
    chart.settings.beam = 1e3;
    EXPECT_EQ(chart.solve(scores, 0, 0, counts), exact);
    EXPECT_TRUE(chart.answer().exact);
    chart.settings.beam = 0.5;
    const double found = chart.solve(scores, 0, 0, counts);
    EXPECT_LE(found, exact + 1e-12);
    EXPECT_NEAR(scores.of(counts.structure()), found, 1e-11);
    pruned += !chart.answer().exact;
    EXPECT_EQ(chart.solve(scores, 1, 1, counts), sum);  // sums leave nothing out
    EXPECT_TRUE(chart.answer().exact);
  }
  EXPECT_EQ(pruned, 20);
}

// The only tree has a part that a narrow beam would leave out.
TEST(Chart, ABeamThatLeavesNothingIsLifted) {
  const ChartGrammar grammar(2, {1, 1, 0, 0}, 3, {{2, 0, 0, 0}}, {{2, 2}, {3, 2}});
  ChartScores scores;
  scores.shape(grammar, 2);
  for (std::size_t i = 0; i < 2; ++i) scores.lexical(i)[1] = 10;
  Chart chart;
  ChartCounts counts;
  chart.settings.beam = 1;
  EXPECT_EQ(chart.solve(scores, 0, 0, counts), 0);
  EXPECT_TRUE(chart.answer().exact);
  EXPECT_EQ(counts.structure().size(), 3u);
}

// Scores and counts as rows: what they make, and value = <scores, counts> + τ entropy, whose gradient the counts are.
TEST(Chart, IsRowsOfNumbersToo) {
  const ChartGrammar grammar = random_grammar(3);
  ChartScores scores = random_scores(grammar, 6, 1, 5);
  scores.lexical(2)[1] = kForbidden;
  Chart chart;
  ChartCounts counts, again;
  const double value = chart.solve(scores, 1, 1, counts);
  Vector row(scores.parts()), counted(scores.parts()), moved(scores.parts());
  scores.get(row);
  counts.get(counted);
  again.set(scores, counted);
  const ChartScores other = random_scores(grammar, 6, 1, 9);
  EXPECT_EQ(total(again, other), total(counts, other));
  for (double& v : row) v = std::max(v, -1e30);  // as solvers write what is forbidden
  ChartScores copy = scores;
  copy.set(row);
  EXPECT_EQ(chart.solve(copy, 1, 1, again), value);
  EXPECT_EQ(chart.answer().way, Chart::kProducts);
  for (std::size_t p = 0; p < row.size(); p += 7) {
    if (row[p] < -1e29) continue;
    moved = row;
    moved[p] += 1e-6;
    copy.set(moved);
    EXPECT_NEAR((chart.solve(copy, 1, 1, again) - value) / 1e-6, counted[p], 1e-5) << p;
  }
}

// The rest of a grammar is as if it were not there.
TEST(Chart, LooksAtSymbolsThatASentenceCanUse) {
  // S → A B | C D, E → C A, over terminals A B C D; words are A or B.
  const ChartGrammar grammar(4, {1, 1, 1, 1, 0, 0, 0}, 6, {{4, 0, 1, 0}, {4, 2, 3, 0}, {5, 2, 0, 0}},
                             {{4, 4}, {5, 5}, {6, 4}});
  ChartSelection selection;
  selection.select(grammar, std::vector<char>{1, 1, 0, 0});
  EXPECT_EQ(selection.lefts(), std::vector<Index>{0});
  EXPECT_EQ(selection.rights(), (std::vector<Index>{0, 1}));  // E → C A makes A a right child
  EXPECT_EQ(selection.pairs().size(), 1u);
  EXPECT_EQ(selection.blocks().size(), 1u);
  EXPECT_EQ(selection.chains(true).size(), 2u);
  EXPECT_EQ(selection.chains(false).size(), 1u);
  EXPECT_EQ(selection.bare(), (std::vector<Index>{0, 1}));
}

// Rows that a longer or another search has left do not count.
TEST(Chart, ForgetsWhatItSolvedBefore) {
  Chart chart;
  ChartCounts counts, expected;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const ChartGrammar grammar = random_grammar(seed, 0.4);
    const ChartScores scores =
        random_scores(grammar, 1 + 7 * seed % 13, seed % 5 == 4 ? 300 : 1, seed, seed % 3 > 0);
    for (const double temperature : {0.0, 1.0}) {
      const double value = chart.solve(scores, temperature, temperature, counts);
      EXPECT_EQ(value, Chart().solve(scores, temperature, temperature, expected));
      if (value == kForbidden) continue;
      EXPECT_EQ(counts.structure(), expected.structure());
      Vector parts(counts.parts()), others(expected.parts());
      counts.get(parts);
      expected.get(others);
      EXPECT_EQ(parts, others);
    }
    chart.pieces(scores);
  }
}

// On the way back the pairs of each span are those of the way up.
TEST(Chart, GoesOverThePairsWhoseRightChildStands) {
  const ChartGrammar grammar = random_grammar(3, 0.6);
  ChartSelection selection;
  selection.select(grammar, std::vector<char>{1, 1});
  ASSERT_GT(selection.rights().size(), 3u);
  ChartActive active;
  active.shape(selection, 3);
  const auto state = [&] {
    std::multiset<Index> pairs;
    for (std::size_t b = 0; b < selection.blocks().size(); ++b)
      for (Index n = 0; n < active.counts()[b]; ++n)
        pairs.insert(active.pairs()[selection.blocks()[b].first + n]);
    std::multiset<Index> rules;
    for (const ChartSelection::Use& use : active.uses()) rules.insert(use.rule);
    return std::pair(pairs, rules);
  };
  active.begin_end(3);
  std::vector<decltype(state())> up;
  for (const auto& [begin, slots] : {std::pair(2, std::vector<Index>{1, 3}), {1, {0}}, {0, {2}}}) {
    up.push_back(state());
    for (const Index slot : slots) active.add(slot, static_cast<std::size_t>(begin));
  }
  EXPECT_TRUE(up[0].first.empty());
  std::multiset<Index> of_two;
  for (const Index slot : {1, 3})
    for (const Index pair : selection.pairs_of(slot)) of_two.insert(pair);
  EXPECT_EQ(up[1].first, of_two);
  active.begin_end(2);
  active.resume_end(3);
  for (std::size_t begin = 0; begin < 3; ++begin) {
    active.retreat(begin);
    EXPECT_EQ(state(), up[2 - begin]) << begin;
  }
}

TEST(Chart, AllocatesNothingTheSecondTime) {
  const ChartGrammar grammar = random_grammar(1);
  const ChartScores scores = random_scores(grammar, 12, 1, 2), wild = random_scores(grammar, 12, 300, 3);
  Chart chart;
  ChartCounts counts;
  const auto all = [&] {
    chart.solve(scores, 0, 0, counts);
    chart.solve(scores, 1, 1, counts);
    chart.solve(wild, 1, 1, counts);
  };
  expect_no_allocations(all, 2);
}

}  // namespace
}  // namespace hinge
