#include "hinge/tasks/motif/motif_task.h"

#include <gtest/gtest.h>

#include <map>

#include "hinge/core/random.h"
#include "hinge/oracle/check_task.h"

namespace hinge {
namespace {

using Examples = std::vector<Example<MotifTask>>;

std::vector<Alphabet::Symbol> symbols(const Alphabet& alphabet, std::string_view text) {
  std::vector<Alphabet::Symbol> list;
  for (const char c : text) list.push_back(alphabet.symbol(c));
  return list;
}

Examples random_examples(const MotifTask& task, bool hide, bool ambiguous) {
  Random random(7);
  Examples examples(10);
  for (auto& [x, y, weight] : examples) {
    std::vector<Alphabet::Symbol> list(task.shape().length + random.below(6));
    const Alphabet& alphabet = task.alphabet();
    for (auto& s : list)
      s = static_cast<Alphabet::Symbol>(random.below(ambiguous ? alphabet.symbols() : alphabet.size()));
    x = task.sequence(list);
    y = task.label(hide && random.uniform() < 0.4 ? MotifLabel::kHidden : static_cast<int>(random.below(2)),
                   x);
  }
  return examples;
}

TEST(MotifTask, IsSound) {
  for (const Alphabet* alphabet : {&Alphabet::dna(), &Alphabet::protein()})
    for (std::size_t order : {0u, 1u, 3u})
      for (bool both : {false, true})
        for (bool hide : {false, true})
          for (bool ambiguous : {false, true}) {
            if (alphabet->size() > 4 && (both || order == 3)) continue;
            const MotifTask task(*alphabet, {3, order, both});
            const CheckReport report = check_task(task, random_examples(task, hide, ambiguous));
            EXPECT_EQ(report.text(), "");
            EXPECT_GT(report.comparisons, 100u);
          }
}

// The features of the paper, with the background of the whole sequence, which both classes share.
double by_definition(const MotifTask& task, std::string_view text, Weights w, long position, bool reverse) {
  const std::size_t l = task.shape().length, A = task.alphabet().size();
  const auto x = symbols(task.alphabet(), text);
  double sum = 0;
  for (long i = 0; i < static_cast<long>(x.size()); ++i) {
    if (position >= 0 && i >= position && i < position + static_cast<long>(l)) continue;
    const std::size_t first =
        static_cast<std::size_t>(std::max<long>(0, i - static_cast<long>(task.shape().order)));
    const std::string_view letters = text.substr(first, static_cast<std::size_t>(i) + 1 - first);
    for (Index j = task.background(); j < task.dimension(); ++j)
      if (task.background_letters(j) == letters) sum += w[j];
  }
  for (std::size_t j = 0; position >= 0 && j < l; ++j) {
    const auto letter = x[static_cast<std::size_t>(position) + (reverse ? l - 1 - j : j)];
    sum += w[j * A + (reverse ? task.alphabet().complement(letter) : letter)];
  }
  return sum;
}

TEST(MotifTask, ScoresAsDefined) {
  const std::string text = "ACGGTTACCA";
  for (std::size_t order : {0u, 2u, 3u}) {
    const MotifTask task(Alphabet::dna(), {4, order, true});
    Random random(order);
    Vector w(task.dimension());
    for (double& v : w) v = random.normal();
    const MotifSequence x = task.sequence(symbols(task.alphabet(), text));
    GroupedScores scores;
    task.score(x, w, scores);
    const double none = by_definition(task, text, w, -1, false);
    ASSERT_EQ(scores.options(), 1 + 2 * 7u);
    EXPECT_EQ(scores.of({0}), 0);
    for (Index option = 1; option < 15; ++option) {
      const auto [position, reverse] = task.place(x, option);
      EXPECT_NEAR(scores.of({option}),
                  by_definition(task, text, w, static_cast<long>(position), reverse) - none, 1e-12);
    }
  }
}

TEST(MotifTask, AnAmbiguousLetterIsTheMeanOfItsLetters) {
  const MotifTask task(Alphabet::dna(), {3, 0, false});
  Vector w(task.dimension());
  for (std::size_t j = 0; j < 12; ++j) w[j] = static_cast<double>(j * j);
  const auto score = [&](std::string_view text) {
    GroupedScores scores;
    task.score(task.sequence(symbols(task.alphabet(), text)), w, scores);
    return scores.of({1});
  };
  EXPECT_NEAR(score("ARt"), (score("AAT") + score("AGT")) / 2, 1e-12);
  EXPECT_NEAR(score("ANu"), (score("AAT") + score("ACT") + score("AGT") + score("ATT")) / 4, 1e-12);
}

TEST(MotifTask, AContextBeginsBehindAnAmbiguousLetter) {
  const MotifTask task(Alphabet::dna(), {1, 2, false});
  const MotifSequence x = task.sequence(symbols(task.alphabet(), "ACGTNCA"));
  std::vector<std::string> seen;
  for (Index j : x.background) seen.push_back(j == MotifSequence::kNone ? "-" : task.background_letters(j));
  EXPECT_EQ(seen, (std::vector<std::string>{"A", "AC", "ACG", "CGT", "-", "C", "CA"}));
}

TEST(MotifTask, OnlyAPlaceThatMayDifferIsHidden) {
  const MotifTask task(Alphabet::dna(), {3, 3, false});
  EXPECT_TRUE(task.determined({MotifLabel::kNegative, 5}));
  EXPECT_FALSE(task.determined({MotifLabel::kPositive, 5}));
  EXPECT_TRUE(task.determined({MotifLabel::kPositive, 1}));
  EXPECT_FALSE(task.determined({MotifLabel::kHidden, 1}));
}

TEST(MotifTask, DrawsPlacesThatAreEquallyProbable) {
  const MotifTask task(Alphabet::dna(), {3, 0, true});
  const MotifSequence x = task.sequence(symbols(task.alphabet(), "ACCGTA"));
  for (int value : {MotifLabel::kNegative, MotifLabel::kPositive, MotifLabel::kHidden}) {
    std::map<std::vector<double>, int> times;  // of each structure's features
    Random random(5);
    constexpr int kDraws = 9000;
    for (int k = 0; k < kDraws; ++k) {
      Vector features(task.dimension());
      DenseSink sink{features, 1};
      task.draw_features(x, task.label(value, x), random, sink);
      ++times[features];
    }
    const int structures = value == MotifLabel::kNegative ? 1 : value == MotifLabel::kPositive ? 8 : 9;
    EXPECT_EQ(times.size(), static_cast<std::size_t>(structures));
    for (const auto& [features, count] : times) EXPECT_NEAR(count, kDraws / structures, 150);
    EXPECT_EQ(times.contains(Vector(task.dimension())), value != MotifLabel::kPositive);
  }
}

TEST(Alphabet, KnowsSymbolsOfSeveralLetters) {
  const Alphabet& dna = Alphabet::dna();
  EXPECT_EQ(dna.symbol('u'), dna.symbol('T'));
  EXPECT_EQ(dna.meanings(dna.symbol('b')).size(), 3u);
  EXPECT_TRUE(dna.ambiguous(dna.symbol('N')));
  EXPECT_EQ(dna.symbol('E'), Alphabet::kNone);
  EXPECT_EQ(dna.symbols(), 15u);
  EXPECT_EQ(dna.complement(dna.symbol('C')), dna.symbol('G'));
  EXPECT_EQ(Alphabet::protein().meanings(Alphabet::protein().symbol('X')).size(), 20u);
  EXPECT_EQ(&Alphabet::named("protein"), &Alphabet::protein());
}

}  // namespace
}  // namespace hinge
