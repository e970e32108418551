#include "hinge/inference/pair_cells.h"

#include <gtest/gtest.h>

#include <set>

#include "hinge/core/random.h"
#include "hinge/inference/enumeration.h"
#include "hinge/inference/forest.h"
#include "tests/support/allocations.h"

namespace hinge {
namespace {

struct Shape {
  std::size_t m, n;
  bool local;
};

void fill(AlignmentScores& scores, Random& random, double scale) {
  for (std::size_t r = 1; r < scores.rows(); ++r)
    for (std::size_t j = 0; j < scores.n(); ++j) scores.row(r)[j] = scale * random.normal();
  for (std::size_t i = 0; i < scores.m(); ++i)
    for (Index& r : scores.rows_of(i)) r = static_cast<Index>(random.below(scores.rows()));
  for (const AlignedSide side : {AlignedSide::x, AlignedSide::z}) {
    GapParts& gaps = scores.gaps(side);
    for (Vector* part : {&gaps.open, &gaps.extend, &gaps.open_at, &gaps.extend_at})
      for (double& v : *part) v = scale * (random.normal() - 1);
  }
}

AlignmentScores random_scores(const Shape& shape, Random& random, double scale, int bars = 0) {
  AlignmentScores scores;
  scores.shape(shape.m, shape.n, 3, 7, shape.local);
  fill(scores, random, scale);
  if (bars > 0 && random.below(2) == 0) scores.close(random.below(shape.n));
  for (double& v : scores.skip())
    v = bars > 1 && random.below(4) == 0 ? kForbidden : scale * bars * random.normal();
  for (std::size_t i = 0; i < shape.m && bars > 0; ++i)
    if (random.below(2) == 0) {
      const std::size_t low = random.below(shape.n + 1);
      scores.bar(i) = {bars > 1 && random.below(3) == 0 ? kForbidden : scale * random.normal(), low,
                       low + random.below(shape.n - low + 1)};
    }
  return scores;
}

// <counts, other scores>, as Enumeration::mean says it.
double mean(const AlignmentCounts& counts, const AlignmentScores& other) {
  double sum = 0;
  if (!counts.hard()) {
    for (std::size_t r = 0; r < other.rows(); ++r)
      for (std::size_t j = 0; j < other.n(); ++j) sum += counts.row(r)[j] * other.row(r)[j];
    for (const AlignedSide side : {AlignedSide::x, AlignedSide::z}) {
      const GapParts &c = counts.gaps(side), &o = other.gaps(side);
      sum += dot(c.open, o.open) + dot(c.extend, o.extend) + dot(c.open_at, o.open_at) +
             dot(c.extend_at, o.extend_at);
    }
  }
  counts.for_each_use([&](std::size_t i, std::size_t j, double amount) { sum += amount * other.match(i, j); },
                      [&](AlignedSide side, std::size_t letter, std::size_t place, bool opens,
                          double amount) { sum += amount * other.gaps(side).of(letter, place, opens); });
  return sum;
}

void compare(const AlignmentScores& scores, Random& random, std::size_t kept_cells) {
  AlignmentScores other;  // of the same rows
  other.shape(scores.m(), scores.n(), scores.stacks(), scores.rows(), scores.local());
  fill(other, random, 1);
  for (std::size_t i = 0; i < scores.m(); ++i) std::ranges::copy(scores.rows_of(i), other.rows_of(i).begin());
  PairCells engine(kept_cells);
  Enumeration<PairCells> all(engine, scores);
  EXPECT_NEAR(PairCells::structures(scores), static_cast<double>(all.structures().size()), 1e-6);
  AlignmentCounts counts;
  for (const double temperature : {0.0, 0.3, 1.0, 5.0}) {
    const double expected = all.solve(scores, temperature);
    const double value = engine.solve(scores, temperature, temperature, counts);
    if (expected == kForbidden) {
      EXPECT_EQ(value, expected);
      continue;
    }
    const double size = 1 + std::abs(expected);
    EXPECT_NEAR(value, expected, 1e-12 * size);
    if (temperature == 0) {
      EXPECT_NEAR(scores.of(counts.structure()), expected, 1e-12 * size);
      EXPECT_NEAR(mean(counts, other), other.of(counts.structure()), 1e-11);
    } else {
      EXPECT_NEAR(mean(counts, other), all.mean(other), 1e-10 * size / temperature);
    }
    const Partners& some = all.structures()[random.below(all.structures().size())];
    const double before = mean(counts, other);
    counts.subtract(some);
    EXPECT_NEAR(mean(counts, other), before - other.of(some), 1e-10);
  }
}

TEST(PairCells, AgreesWithEnumeration) {
  Random random(1);
  for (std::size_t m = 1; m <= 4; ++m)
    for (std::size_t n = 1; n <= 5; ++n)
      for (const bool local : {false, true})
        for (const int bars : {0, 1, 2})
          for (const double scale : {0.5, 3.0, 60.0})
            for (const std::size_t kept : {PairCells::kCells, std::size_t{0}})
              compare(random_scores({m, n, local}, random, scale, bars), random, kept);
}

void hide_some(AlignmentScores& scores, Random& random) {
  for (std::size_t i = 0; i < scores.m(); ++i)
    if (random.below(2) == 0) scores.hide(AlignedSide::x, i);
  for (std::size_t j = 0; j < scores.n(); ++j)
    if (random.below(2) == 0) scores.hide(AlignedSide::z, j);
}

// The best outputs, hidden partners summed, and the mean uses of the alignments that show them.
TEST(PairCells, FindsTheBestOutputsOfHiddenPartners) {
  Random random(6);
  std::size_t compared = 0;
  for (std::size_t m = 1; m <= 5; ++m)
    for (std::size_t n = 1; n <= 5; ++n)
      for (const bool local : {false, true})
        for (const int bars : {0, 1, 2})
          for (const double scale : {0.0, 0.3, 2.0}) {
            AlignmentScores scores = random_scores({m, n, local}, random, scale, bars);
            hide_some(scores, random);
            AlignmentScores other;
            other.shape(m, n, scores.stacks(), scores.rows(), local);
            fill(other, random, 1);
            for (std::size_t i = 0; i < m; ++i)
              std::ranges::copy(scores.rows_of(i), other.rows_of(i).begin());
            PairCells engine;
            Enumeration<PairCells> all(engine, scores);
            AlignmentCounts counts;
            for (const double temperature : {0.4, 1.0}) {
              const double expected = all.solve(scores, 0, temperature);
              const double value = engine.solve(scores, 0, temperature, counts);
              if (expected == kForbidden) {
                EXPECT_EQ(value, expected);
                continue;
              }
              EXPECT_TRUE(engine.answer().exact);
              EXPECT_FALSE(engine.may_approximate(scores, 0, temperature));
              EXPECT_NEAR(value, expected, 1e-12 * (1 + std::abs(expected)));
              // Of outputs that are equally good, as many are where all scores are 0, either may win.
              if (scale > 0 && bars == 0) {
                EXPECT_NEAR(mean(counts, other), all.mean(other), 1e-10 * (1 + std::abs(expected)));
                EXPECT_EQ(PairCells::outputs(scores, counts.structure()),
                          PairCells::outputs(scores, all.winner()));
                ++compared;
              }
            }
          }
  EXPECT_GT(compared, 150u);
}

// Where the search may not end it says so, and is no worse than the outputs of the best alignment.
TEST(PairCells, SaysWhetherASearchEnded) {
  Random random(7);
  std::size_t ended = 0;
  for (const double scale : {0.05, 0.3, 3.0})
    for (const bool local : {false, true})
      for (int k = 0; k < 3; ++k) {
        AlignmentScores scores = random_scores({45, 50, local}, random, scale);
        hide_some(scores, random);
        PairCells engine;
        AlignmentCounts counts;
        EXPECT_TRUE(engine.may_approximate(scores, 0, 1));
        EXPECT_FALSE(engine.may_approximate(scores, 1, 1));
        EXPECT_FALSE(engine.may_approximate(scores, 0, 0));
        const double value = engine.solve(scores, 0, 1, counts);
        ended += engine.answer().exact;
        engine.solve(scores, 0, 0, counts);
        Partners anchors = counts.structure();
        PairSearch::leave_anchors(scores, anchors);
        AlignmentScores kept = scores;
        const double added = PairSearch::keep(anchors, kept);
        EXPECT_GE(value, engine.solve(kept, 1, 1, counts) + added - 1e-9);
      }
  EXPECT_GT(ended, 4u);
  EXPECT_FALSE(PairSearch::may_stop(28, 28));
  EXPECT_TRUE(PairSearch::may_stop(29, 29));
}

// A list of all structures, and of some: those of enumeration, best first, each once.
TEST(PairCells, ListsTheBestAlignments) {
  Random random(3);
  std::size_t listed = 0, cut = 0;
  for (std::size_t m = 1; m <= 4; ++m)
    for (std::size_t n = 1; n <= 5; ++n)
      for (const bool local : {false, true})
        for (const int bars : {0, 1, 2}) {
          const AlignmentScores scores = random_scores({m, n, local}, random, 1, bars);
          std::vector<double> expected;
          PairCells::for_each_structure(scores, [&](const Partners& s) {
            if (const double score = scores.of(s); score != kForbidden) expected.push_back(score);
          });
          std::ranges::sort(expected, std::greater<>());
          AlignmentCounts counts;
          PairCells().solve(scores, 0, 0, counts);
          for (const std::size_t k : {std::size_t{1}, std::size_t{7}, expected.size() + 1}) {
            const auto found = PairCells::top(scores, k);
            ASSERT_EQ(found.size(), std::min(k, expected.size()));
            std::set<Partners> seen;
            for (std::size_t r = 0; r < found.size(); ++r) {
              EXPECT_NEAR(found[r].second, expected[r], 1e-12 * (1 + std::abs(expected[r])));
              EXPECT_NEAR(found[r].second, scores.of(found[r].first), 1e-12 * (1 + std::abs(expected[r])));
              EXPECT_TRUE(seen.insert(found[r].first).second) << "twice";
            }
            listed += found.size();
            // Where there is no room for all, the first ones come.
            std::size_t kept = 0;
            const bool all = PairCells::list(scores, k, 2000, [&](Partners&& s, double score) {
              EXPECT_EQ(std::pair(s, score), found.at(kept++));
              return 100.0;
            });
            EXPECT_TRUE(!all || kept == found.size());
            cut += !all;
            EXPECT_LE(kept, 21u);
            if (!found.empty()) {
              EXPECT_EQ(found[0].first, counts.structure());
            }
          }
        }
  EXPECT_GT(listed, 2000);
  EXPECT_GT(cut, 20);
}

// Cells of three states as a forest, each edge a part of its own.
struct CellForest {
  explicit CellForest(const AlignmentScores& s) {
    const std::size_t m = s.m(), n = s.n();
    const auto add = [&](double value, Index left) {
      scores.forest.add_edge(static_cast<Index>(scores.value.size()), left);
      scores.value.push_back(value);
    };
    std::vector<std::array<Index, 3>> cell((m + 1) * (n + 1));
    const auto at = [&](std::size_t i, std::size_t j) -> std::array<Index, 3>& {
      return cell[i * (n + 1) + j];
    };
    const auto skipped = [&](std::size_t from, std::size_t to) {
      double sum = 0;
      for (std::size_t i = from; i < to; ++i) sum += s.skip()[i];
      return sum;
    };
    std::vector<std::pair<Index, double>> ends;
    for (std::size_t i = 0; i <= m; ++i)
      for (std::size_t j = 0; j <= n; ++j) {
        at(i, j)[0] = scores.forest.add_node();
        if (i + j == 0 && !s.local()) add(0, PackedForest::kNone);
        if (i > 0 && j > 0) {
          for (const Index before : at(i - 1, j - 1)) add(s.match(i - 1, j - 1), before);
          if (s.local()) add(s.match(i - 1, j - 1) + skipped(0, i - 1), PackedForest::kNone);
          ends.push_back({at(i, j)[0], skipped(i, m)});
        }
        at(i, j)[1] = scores.forest.add_node();
        if (i > 0) {
          add(s.gaps(AlignedSide::x).of(i - 1, j, true), at(i - 1, j)[0]);
          add(s.gaps(AlignedSide::x).of(i - 1, j, false), at(i - 1, j)[1]);
        }
        at(i, j)[2] = scores.forest.add_node();
        if (j > 0) {
          add(s.gaps(AlignedSide::z).of(j - 1, i, true), at(i, j - 1)[0]);
          add(s.gaps(AlignedSide::z).of(j - 1, i, true), at(i, j - 1)[1]);
          add(s.gaps(AlignedSide::z).of(j - 1, i, false), at(i, j - 1)[2]);
        }
      }
    scores.forest.add_node();
    if (s.local()) {
      add(skipped(0, m), PackedForest::kNone);
      for (const auto& [end, score] : ends) add(score, end);
    } else {
      for (const Index end : at(m, n)) add(0, end);
    }
  }
  ForestScores scores;
};

TEST(PairCells, AgreesWithTheForest) {
  Random random(2);
  std::size_t logarithms = 0;
  for (const Shape& shape :
       {Shape{9, 14, false}, Shape{30, 21, false}, Shape{17, 25, true}, Shape{70, 90, false}})
    for (const double scale : {0.5, 3.0, 200.0})
      for (const int bars : {0, 1}) {
        const AlignmentScores scores = random_scores(shape, random, scale, bars);
        const CellForest forest(scores);
        ForestSweep sweep;
        ForestCounts expected;
        for (const std::size_t kept : {PairCells::kCells, std::size_t{100}}) {
          PairCells engine(kept);
          AlignmentCounts counts;
          for (const double temperature : {0.0, 0.5, 2.0}) {
            const double value = sweep.solve(forest.scores, temperature, temperature, expected);
            EXPECT_NEAR(engine.solve(scores, temperature, temperature, counts), value,
                        1e-11 * (1 + std::abs(value)));
            if (temperature == 0) {
              EXPECT_NEAR(scores.of(counts.structure()), value, 1e-11 * (1 + std::abs(value)));
            } else {
              logarithms += engine.by_logarithms();
              // The value's derivative along the scores themselves.
              const double slope = dot(expected.amounts(), forest.scores.value);
              AlignmentScores plain = scores;
              double own = mean(counts, plain);
              for (const auto& [i, j, probability] : counts.pairs())
                if (j < scores.bar(i).low || j >= scores.bar(i).high)
                  own += probability * scores.bar(i).outside;
              if (bars == 0) {
                EXPECT_NEAR(own, slope, 1e-9 * (1 + std::abs(slope)) / temperature);
              }
            }
          }
        }
      }
  EXPECT_GT(logarithms, 4u);  // both ways of summing were used
  EXPECT_LT(logarithms, 60u);
}

// As they are learned at a high C: every letter likes to be paired, some much more than others, gaps cost little, and
// what is known forbids pairs. Far from the best alignment what leads to a cell is then many orders of magnitude away
// from what follows it.
AlignmentScores learned_scores(const Shape& shape, Random& random, double scale, bool known) {
  AlignmentScores scores = random_scores(shape, random, scale);
  for (std::size_t r = 1; r < scores.rows(); ++r)
    for (std::size_t j = 0; j < scores.n(); ++j) scores.row(r)[j] += scale;
  for (const AlignedSide side : {AlignedSide::x, AlignedSide::z}) {
    GapParts& gaps = scores.gaps(side);
    for (double& v : gaps.open) v = -scale * (1 + random.uniform());
    for (double& v : gaps.extend) v = -0.1 * scale * random.uniform();
    std::ranges::fill(gaps.open_at, 0);
    std::ranges::fill(gaps.extend_at, 0);
  }
  for (std::size_t i = 10; known && i + 10 < shape.m; i += 7) {
    const std::size_t partner = i * shape.n / shape.m;
    scores.bar(i) = {kForbidden, partner - 2, partner + 3};
    if (i % 2 == 0) scores.close(partner / 2);
  }
  return scores;
}

TEST(PairCells, SumsScoresOfLargeRangeByProducts) {
  Random random(8);
  for (const bool local : {false, true})
    for (const bool known : {false, true})
      for (const auto& [scale, n] :
           {std::pair<double, std::size_t>{0.1, 127}, {2.0, 128}, {0.5, 31}, {4.0, 150}}) {
        const Shape shape{130, n, local};
        const AlignmentScores scores = learned_scores(shape, random, scale, known);
        AlignmentScores other;
        other.shape(shape.m, shape.n, scores.stacks(), scores.rows(), local);
        fill(other, random, 1);
        for (std::size_t i = 0; i < shape.m; ++i)
          std::ranges::copy(scores.rows_of(i), other.rows_of(i).begin());
        const CellForest forest(scores), slopes(other);
        ForestSweep sweep;
        ForestCounts expected;
        for (const double temperature : {0.5, 1.0}) {
          const double value = sweep.solve(forest.scores, temperature, temperature, expected);
          const double size = 1 + std::abs(value);
          const double slope = dot(expected.amounts(), slopes.scores.value);
          for (const std::size_t kept : {PairCells::kCells, std::size_t{100}}) {
            PairCells engine(kept);
            AlignmentCounts counts;
            EXPECT_NEAR(engine.solve(scores, temperature, temperature, counts), value, 1e-12 * size);
            EXPECT_FALSE(engine.by_logarithms()) << local << known << scale;
            EXPECT_NEAR(mean(counts, other), slope, 1e-10 * size / temperature);
          }
        }
      }
}

TEST(PairCells, FindsTheMostExpectedPairs) {
  Random random(3);
  for (int k = 0; k < 40; ++k) {
    const AlignmentScores scores = random_scores({4, 5, k % 2 == 0}, random, 1);
    PairCells engine;
    AlignmentCounts counts;
    engine.solve(scores, 1, 1, counts);
    const auto expected_pairs = [&](const Partners& s) {
      double sum = 0;
      for (const auto& [i, j, probability] : counts.pairs())
        if (s[i] == static_cast<int>(j)) sum += probability;
      return sum;
    };
    double best = 0;
    PairCells::for_each_structure(scores,
                                  [&](const Partners& s) { best = std::max(best, expected_pairs(s)); });
    EXPECT_NEAR(expected_pairs(counts.most_probable()), best, 1e-12);
  }
}

TEST(PairCells, AllocatesNothingTheSecondTime) {
  Random random(4);
  for (const std::size_t kept : {PairCells::kCells, std::size_t{1000}}) {
    const AlignmentScores scores = random_scores({60, 80, false}, random, 1);
    PairCells engine(kept);
    AlignmentCounts hard, soft;
    const auto sweep = [&] {
      engine.solve(scores, 0, 0, hard);
      engine.solve(scores, 1, 1, soft);
    };
    expect_no_allocations(sweep);
  }
}

TEST(PairCells, KeepsFewRowsOfLongSequences) {
  EXPECT_LT(PairCells::memory(5000, 5000), 60e6);
  EXPECT_GT(PairCells::memory(1500, 1500), 1500 * 1500 * 32.0);
}

}  // namespace
}  // namespace hinge
