#include "hinge/inference/fold_cells.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "hinge/core/random.h"
#include "hinge/inference/enumeration.h"
#include "hinge/inference/forest.h"
#include "tests/support/allocations.h"

namespace hinge {
namespace {

std::vector<std::uint8_t> random_letters(Random& random, std::size_t n) {
  std::vector<std::uint8_t> letters(n);
  for (auto& letter : letters)
    letter = static_cast<std::uint8_t>(random.below(20) == 0 ? 4 : random.below(4));
  return letters;
}

void fill(FoldTables& tables, Random& random, double scale) {
  tables.for_both(tables, [&](double& own, double) { own = scale * random.normal(); });
}

// Special loops of drawn amounts; hairpins of three and of six letters are listed, a third of them all.
FoldSpecials random_specials(Random& random) {
  FoldSpecials specials;
  for (auto* table : {&specials.one_one, &specials.one_two, &specials.two_two})
    for (double& v : *table) v = random.normal();
  for (auto* table : {&specials.two_three_outer, &specials.two_three_inner, &specials.three})
    for (double& v : *table) v = random.normal();
  for (const std::uint32_t letters : {5u, 8u})
    for (std::uint32_t code = 0; code < 1u << (2 * letters); code += 3)
      specials.hairpins.emplace_back(code + (1u << (2 * letters)), random.normal());
  specials.long_hairpin = random.normal();
  specials.measure();
  return specials;
}

struct Limits {
  std::size_t n, max_loop;
  double scale;
  bool forbids, bonuses;
  const FoldSpecials* specials = nullptr;
};

FoldScores random_scores(Random& random, const Limits& limits) {
  FoldScores scores;
  scores.shape(random_letters(random, limits.n), limits.max_loop);
  scores.specials = limits.specials;
  fill(scores.tables, random, limits.scale);
  for (double& v : scores.tables.pair) v += limits.scale;
  if (limits.forbids) {
    for (std::size_t k = 0; k < limits.n / 4; ++k) {
      const std::size_t j = 1 + random.below(limits.n - 1);
      scores.forbid(random.below(j), j);
    }
    if (random.below(2) == 0) scores.require(random.below(limits.n));
  }
  if (limits.bonuses) {
    scores.bonuses.favoured.assign(limits.n, kUnpaired);
    scores.bonuses.judged.assign(limits.n, 0);
    scores.bonuses.favoured[0] = static_cast<int>(limits.n - 1);
    for (char& judged : scores.bonuses.judged) judged = static_cast<char>(random.below(2));
    scores.bonuses.right = -limits.scale;
    scores.bonuses.wrong = limits.scale;
    scores.constant = 2.5;
  }
  return scores;
}

// <counts, other tables>
double mean(const FoldCounts& counts, const FoldTables& other) {
  FoldTables uses = counts.uses();
  double sum = 0;
  uses.for_both(other, [&](double used, double score) { sum += used * score; });
  return sum;
}

TEST(FoldCells, AgreesWithEnumeration) {
  Random random(1);
  const FoldSpecials specials = random_specials(random);
  std::size_t folds = 0, special = 0;
  for (const std::size_t n : {1u, 4u, 5u, 8u, 11u, 13u, 15u})
    for (const std::size_t max_loop : {0u, 1u, 2u, 3u, 30u})
      for (const double scale : {0.3, 2.0, 100.0})
        for (const int how : {0, 1, 2, 3}) {
          const FoldScores scores = random_scores(
              random, {n, max_loop, scale, how % 2 == 1, max_loop != 3, how < 2 ? nullptr : &specials});
          FoldCells engine;
          Enumeration<FoldCells> all(engine, scores);
          EXPECT_EQ(FoldCells::structures(scores), static_cast<double>(all.structures().size()));
          folds += all.structures().size();
          FoldScores other;
          other = scores;
          fill(other.tables, random, 1);
          FoldCounts counts;
          for (const double temperature : {0.0, 0.5, 1.0}) {
            const double expected = all.solve(scores, temperature);
            const double value = engine.solve(scores, temperature, temperature, counts);
            if (expected == kForbidden) {
              EXPECT_EQ(value, expected);
              continue;
            }
            special += counts.uses().special != 0;
            EXPECT_NEAR(value, expected, 1e-12 * (1 + std::abs(expected) + scale));
            if (temperature == 0) {
              EXPECT_NEAR(scores.of(counts.structure()), expected, 1e-12 * (1 + std::abs(expected) + scale));
            }
            if (temperature > 0) {  // counts do not know bonuses
              other.bonuses.favoured.clear();
              other.constant = 0;
              EXPECT_NEAR(mean(counts, other.tables), all.mean(other), 1e-10 * (1 + scale) / temperature);
            }
            const FoldPairs none(n, kUnpaired);
            const double before = mean(counts, other.tables);
            counts.subtract(none);
            EXPECT_NEAR(mean(counts, other.tables),
                        before - static_cast<double>(n) * other.tables.exterior_letter, 1e-10);
          }
        }
  EXPECT_GT(folds, 10000u);
  EXPECT_GT(special, 100u);
}

// The recursion as a forest, each edge a part of its own; loops are scored by the tables.
class FoldForest {
 public:
  explicit FoldForest(const FoldScores& s) : s_(s), n_(s.n()) {
    for (std::size_t length = 1; length <= n_; ++length)
      for (std::size_t i = 0; i + length <= n_; ++i) add_cells(i, i + length - 1);
    Index before = node();
    edge(0);
    for (std::size_t j = 0; j < n_; ++j) {
      prefixes_.push_back(before);
      before = node();
      edge(s_.tables.exterior_letter, prefixes_[j]);
      for (std::size_t i = 0; i < j; ++i)
        if (s_.in(i, j) != FoldScores::kNoPair)
          edge(s_.tables.exterior[s_.out(i, j)], prefixes_[i], pairs_.at({i, j}));
    }
  }
  ForestScores scores;
  std::map<std::pair<std::size_t, std::size_t>, Index> pairs_;

 private:
  using Key = std::pair<std::size_t, std::size_t>;
  Index node() { return scores.forest.add_node(); }
  void edge(double value, Index left = PackedForest::kNone, Index right = PackedForest::kNone) {
    scores.forest.add_edge(static_cast<Index>(scores.value.size()), left, right);
    scores.value.push_back(value);
  }
  void add_cells(std::size_t i, std::size_t j) {
    const FoldTables& t = s_.tables;
    if (s_.in(i, j) != FoldScores::kNoPair) {
      const std::uint8_t in = s_.in(i, j);
      const double pair = t.pair[FoldScores::type(in)] + s_.bonus(i, j);
      pairs_[{i, j}] = node();
      const FoldSpecials* special = s_.specials;
      edge(pair + t.hairpin[in] + t.hairpin_length[std::min<std::size_t>(j - i - 1, 30)] +
           (special == nullptr ? 0 : t.special * special->hairpin(s_, i, j)));
      for (std::size_t k = i + 1; k < j; ++k)
        for (std::size_t l = k + 1; l < j; ++l) {
          const std::size_t a = k - i - 1, b = j - l - 1;
          if (a + b > s_.max_loop() || s_.in(k, l) == FoldScores::kNoPair) continue;
          double score = t.stack[in];
          const std::size_t kind = s_.kind(a, b) * FoldTables::kClasses;
          if (a + b > 0) score = t.outer[kind + in] + t.inner[kind + s_.out(k, l)] + t.loop[a * 31 + b];
          if (a + b == 1) score += t.bulge_stack[FoldScores::type(in) * 6 + FoldScores::type(s_.in(k, l))];
          if (a == 1 && b == 1) score += t.one_one[in];
          if (special != nullptr && a > 0 && b > 0 &&
              std::max(a, b) <= std::min<std::size_t>(3, std::min(a, b) + 1) && a + b < 6)
            score += t.special * special->loop(s_, i, j, k, l);
          edge(pair + score, pairs_.at({k, l}));
        }
      if (const auto inside = two_.find({i + 1, j - 1}); inside != two_.end())
        edge(pair + t.close[in], inside->second);
    }
    ones_[{i, j}] = node();
    if (const auto shorter = ones_.find({i, j - 1}); j > i && shorter != ones_.end())
      edge(t.multi_letter, shorter->second);
    if (const auto own = pairs_.find({i, j}); own != pairs_.end()) edge(t.branch[s_.out(i, j)], own->second);
    letters_[{i, j}] = node();
    edge(0, ones_.at({i, j}));
    if (j > i) edge(t.multi_letter, letters_.at({i + 1, j}));
    two_[{i, j}] = node();
    for (std::size_t k = i + 1; k <= j; ++k) edge(0, some_.at({i, k - 1}), ones_.at({k, j}));
    some_[{i, j}] = node();
    edge(0, two_.at({i, j}));
    edge(0, letters_.at({i, j}));
  }
  const FoldScores& s_;
  std::size_t n_;
  std::vector<Index> prefixes_;
  std::map<Key, Index> ones_, letters_, two_, some_;
};

TEST(FoldCells, AgreesWithTheForest) {
  Random random(2);
  const FoldSpecials specials = random_specials(random);
  std::size_t logarithms = 0;
  for (const std::size_t n : {20u, 45u, 60u})
    for (const double scale : {0.3, 1.0, 80.0, -0.3, -1.0, -80.0}) {  // negative: with special loops
      const FoldScores scores =
          random_scores(random, {n, 30, std::abs(scale), false, false, scale < 0 ? &specials : nullptr});
      const FoldForest forest(scores);
      ForestSweep sweep;
      ForestCounts expected;
      FoldCells engine;
      FoldCounts counts;
      for (const double temperature : {0.0, 0.4, 1.0}) {
        const double value = sweep.solve(forest.scores, temperature, temperature, expected);
        EXPECT_NEAR(engine.solve(scores, temperature, temperature, counts), value,
                    1e-11 * (1 + std::abs(value)));
        if (temperature == 0) {
          EXPECT_NEAR(scores.of(counts.structure()), value, 1e-11 * (1 + std::abs(value)));
          continue;
        }
        logarithms += engine.by_logarithms();
        EXPECT_NEAR(mean(counts, scores.tables), dot(expected.amounts(), forest.scores.value),
                    1e-9 * (1 + std::abs(value)) / temperature);
        std::map<std::pair<std::size_t, std::size_t>, double> probability;
        for (const auto& [i, j, p] : counts.pairs()) probability[{i, j}] = p;
        for (const auto& [ij, node] : forest.pairs_) {
          double used = 0;
          for (std::size_t e = forest.scores.forest.first_edge(node);
               e < forest.scores.forest.first_edge(node + 1); ++e)
            used += expected.edge_amounts()[e];
          if (used > 0.0011) {
            EXPECT_NEAR(probability[ij], used, 1e-9);
          }
        }
      }
    }
  EXPECT_GT(logarithms, 0u);
  EXPECT_LT(logarithms, 24u);
}

// A list of all folds, and of some: those of enumeration, best first, each once.
TEST(FoldCells, ListsTheBestFolds) {
  Random random(4);
  const FoldSpecials specials = random_specials(random);
  std::size_t listed = 0, cut = 0;
  for (const std::size_t n : {1u, 5u, 8u, 11u, 13u, 16u})
    for (const std::size_t max_loop : {0u, 1u, 2u, 3u, 30u})
      for (const bool forbids : {false, true}) {
        const FoldScores scores = random_scores(
            random, {n, max_loop, 1, forbids, max_loop != 3, (n + max_loop) % 2 == 0 ? nullptr : &specials});
        std::vector<double> expected;
        FoldCells::for_each_structure(scores, [&](const FoldPairs& s) {
          if (const double score = scores.of(s); score != kForbidden) expected.push_back(score);
        });
        std::ranges::sort(expected, std::greater<>());
        FoldCells engine;
        FoldCounts counts;
        engine.solve(scores, 0, 0, counts);
        for (const std::size_t k : {std::size_t{1}, std::size_t{7}, expected.size() + 1}) {
          const auto found = engine.top(scores, k);
          ASSERT_EQ(found.size(), std::min(k, expected.size()));
          std::set<FoldPairs> seen;
          for (std::size_t r = 0; r < found.size(); ++r) {
            EXPECT_NEAR(found[r].second, expected[r], 1e-12 * (10 + std::abs(expected[r])));
            EXPECT_NEAR(found[r].second, scores.of(found[r].first), 1e-12 * (10 + std::abs(expected[r])));
            EXPECT_TRUE(seen.insert(found[r].first).second) << "twice";
          }
          listed += found.size();
          // Where there is no room for all, the first ones come.
          std::size_t kept = 0;
          const bool all = engine.list(scores, k, 2000, [&](FoldPairs&& s, double score) {
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

TEST(FoldCells, FoldsLongSequences) {
  Random random(3);
  FoldScores scores = random_scores(random, {700, 30, 0.5, false, false});
  FoldCells engine;
  FoldCounts counts;
  for (double& v : scores.tables.pair)
    v += 3;  // so that exponentials pass 2^1000 where letters are not divided
  const double best = engine.solve(scores, 0, 0, counts);
  EXPECT_NEAR(scores.of(counts.structure()), best, 1e-9 * best);
  const double soft = engine.solve(scores, 1, 1, counts);
  EXPECT_FALSE(engine.by_logarithms());
  EXPECT_GT(soft, std::max(best, 700.0));
  double paired = 0, counted = 0;
  for (const double used : counts.uses().pair) paired += used;
  for (const auto& pair : counts.pairs()) counted += pair.probability;
  EXPECT_NEAR(paired, counted, 0.1 * paired);
}

TEST(FoldCells, FindsTheMostAccurateFold) {
  Random random(4);
  for (int k = 0; k < 20; ++k) {
    FoldScores scores = random_scores(random, {13, 30, 1, false, false});
    scores.gamma = k % 2 == 0 ? 1 : 4;
    FoldCells engine;
    FoldCounts counts;
    engine.solve(scores, 1, 1, counts);
    const auto accuracy = [&](const FoldPairs& s) {
      Vector alone(13, 1.0);
      double sum = 0;
      for (const auto& [i, j, p] : counts.pairs()) {
        alone[i] -= p;
        alone[j] -= p;
        if (s[i] == static_cast<int>(j)) sum += 2 * scores.gamma * p;
      }
      for (std::size_t i = 0; i < 13; ++i) sum += s[i] == kUnpaired ? alone[i] : 0;
      return sum;
    };
    double best = 0;
    FoldCells::for_each_structure(scores, [&](const FoldPairs& s) { best = std::max(best, accuracy(s)); });
    EXPECT_NEAR(accuracy(counts.most_probable()), best, 1e-5);
  }
}

TEST(FoldCells, AllocatesNothingTheSecondTime) {
  Random random(5);
  const FoldSpecials specials = random_specials(random);
  for (const FoldSpecials* own : {static_cast<const FoldSpecials*>(nullptr), &specials}) {
    const FoldScores scores = random_scores(random, {60, 30, 1, false, false, own});
    FoldCells engine;
    FoldCounts hard, soft;
    const auto sweep = [&] {
      engine.solve(scores, 0, 0, hard);
      engine.solve(scores, 1, 1, soft);
    };
    expect_no_allocations(sweep);
  }
}

}  // namespace
}  // namespace hinge
