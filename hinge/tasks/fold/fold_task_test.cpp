#include "hinge/tasks/fold/fold_task.h"

#include <gtest/gtest.h>

#include <set>

#include "hinge/oracle/check_task.h"

namespace hinge {
namespace {

// Letters that pair often, and a fold of them, perhaps known in part.
FoldRecord random_record(Random& random, const FoldTask& task, std::size_t n, bool hide) {
  FoldRecord record{"r", std::string(n, 'A'), {}};
  for (char& c : record.letters) c = "GCAUGCN"[random.below(7)];
  FoldScores scores;
  task.score(FoldTask::input(record, 1), Vector(task.dimension()), scores);
  std::vector<FoldPairs> all;
  FoldCells::for_each_structure(scores, [&](const FoldPairs& s) {
    if (scores.of(s) != kForbidden) all.push_back(s);
  });
  record.partners = all[random.below(all.size())];
  if (hide)
    for (std::size_t i = 0; i < n; ++i) {
      const int j = record.partners[i];
      if (random.below(2) == 0 || (j >= 0 && j < static_cast<int>(i))) continue;
      record.partners[i] = kUnknownPair;
      if (j >= 0) record.partners[static_cast<std::size_t>(j)] = kUnknownPair;
    }
  return record;
}

TEST(FoldTask, IsSound) {
  Random random(5);
  for (const char* features : {"pairs", "loops", "all"})
    for (const std::size_t max_loop : {1u, 30u})
      for (const bool hide : {false, true}) {
        if (max_loop == 1 && hide) continue;
        const FoldTask task(PartWeights::level(features), max_loop);
        std::vector<Example<FoldTask>> examples;
        for (int k = 0; k < 3; ++k) {
          const FoldRecord record = random_record(random, task, 6 + random.below(8), hide);
          std::size_t lost = 0;
          examples.push_back({task.input(record, 1), task.label(record, lost), 1});
          EXPECT_EQ(lost, 0u);
        }
        const CheckReport report = check_task(task, examples);
        EXPECT_EQ(report.text(), "");
        EXPECT_GT(report.comparisons, 100u);
      }
}

// Each helix read from its other end has the same weights.
TEST(PartWeights, DoNotDependOnTheDirectionOfReading) {
  const PartWeights weights(PartWeights::Level::all);
  std::set<std::string> names;
  for (Index j = 0; j < weights.dimension(); ++j) EXPECT_TRUE(names.insert(weights.name(j)).second);
  std::size_t stacks = 0;
  for (const std::string& name : names) stacks += name.starts_with("stack ");
  EXPECT_EQ(stacks, 21u);
  Random random(3);
  Vector w(weights.dimension());
  for (double& v : w) v = random.normal();
  FoldTables tables;
  weights.score(w, tables);
  const auto letter = [](char c) { return std::string("ACGU").find(c); };
  const std::string types[] = {"AU", "UA", "CG", "GC", "GU", "UG"};
  for (std::size_t t = 0; t < 6; ++t) {
    const std::size_t back = t ^ 1;
    for (std::size_t a = 0; a < 5; ++a)
      for (std::size_t b = 0; b < 5; ++b)
        EXPECT_EQ(tables.outer[t * 25 + a * 5 + b], tables.inner[back * 25 + b * 5 + a]);
    for (std::size_t u = 0; u < 6; ++u) {
      EXPECT_EQ(tables.bulge_stack[t * 6 + u], tables.bulge_stack[(u ^ 1) * 6 + back]);
      EXPECT_EQ(tables.stack[t * 25 + letter(types[u][0]) * 5 + letter(types[u][1])],
                tables.stack[(u ^ 1) * 25 + letter(types[back][0]) * 5 + letter(types[back][1])]);
    }
  }
  for (std::size_t a = 0; a < 31; ++a)
    for (std::size_t b = 0; b < 31; ++b) EXPECT_EQ(tables.loop[a * 31 + b], tables.loop[b * 31 + a]);
}

TEST(FoldTask, LeavesOutPairsThatItCannotHave) {
  const FoldTask task(PartWeights::Level::all, 2);
  std::size_t lost = 0;
  // G·A is no pair, C(3)G(6) is too near.
  const FoldLabel y = task.label({"x", "GGCAAGACA", {7, 6, 5, -1, -1, 2, 1, 0, -1}}, lost);
  EXPECT_EQ(lost, 2u);
  EXPECT_EQ(y.partners, (FoldPairs{7, -1, -1, -1, -1, -1, -1, 0, -1}));
  EXPECT_EQ(y.pairs, 1u);
  // Three letters within, two allowed.
  const FoldLabel z = task.label({"x", "GAAAGAAACC", {9, -1, -1, -1, 8, -1, -1, -1, 4, 0}}, lost);
  EXPECT_EQ(lost, 1u);
  EXPECT_EQ(z.partners, (FoldPairs{-1, -1, -1, -1, 8, -1, -1, -1, 4, -1}));
}

// Unknown letters save a pair around a long loop only where they may be paired so that the loop is short.
TEST(FoldTask, LeavesOutPairsThatUnknownLettersDoNotSave) {
  const FoldTask task(PartWeights::Level::all, 2);
  const auto lost_of = [&](const char* letters, const FoldPairs& partners) {
    std::size_t lost = 0;
    const FoldTask::Label y = task.label({"x", letters, partners}, lost);
    FoldScores scores;
    task.score(task.input({"x", letters, {}}, 1), Vector(task.dimension()), scores);
    task.forbid(y, scores);
    EXPECT_GT(FoldCells::structures(scores), 0) << letters;
    return lost;
  };
  // G(0)C(9) around G(4)C(8), three letters between, of which one is not known: alone it has no partner.
  EXPECT_EQ(lost_of("GAAAGAAACC", {9, kUnknownPair, -1, -1, 8, -1, -1, -1, 4, 0}), 1u);
  // What is not known lies within the inner pair.
  EXPECT_EQ(lost_of("GAAAGAAACC", {9, -1, -1, -1, 8, kUnknownPair, kUnknownPair, -1, 4, 0}), 1u);
  // G(1) and C(8) may be paired, and no loop is too long then.
  EXPECT_EQ(lost_of("GGAGAAACCC", {9, kUnknownPair, -1, 7, -1, -1, -1, 3, kUnknownPair, 0}), 0u);
}

TEST(FoldTask, CountsWrongAndMissingPairs) {
  const FoldTask task(PartWeights::Level::all, 30);
  const FoldLabel y{{9, 8, -1, -1, -1, -2, -2, -1, 1, 0}, 8, 2};
  EXPECT_EQ(task.loss(y, {9, 8, -1, -1, -1, -1, -1, -1, 1, 0}), 0);
  EXPECT_EQ(task.loss(y, {-1, 8, -1, -1, -1, -1, -1, -1, 1, -1}), 1);
  EXPECT_EQ(task.loss(y, {-1, 9, -1, -1, -1, -1, -1, -1, -1, 1}), 3);
  EXPECT_EQ(task.loss({FoldPairs(10, kUnknownPair), 0, 0}, {9, 8, -1, -1, -1, -1, -1, -1, 1, 0}), 0);
}

}  // namespace
}  // namespace hinge
