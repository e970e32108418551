#include "hinge/inference/class_chain.h"

#include <gtest/gtest.h>

#include "hinge/inference/enumeration.h"
#include "hinge/oracle/task.h"
#include "tests/support/chains.h"

namespace hinge {
namespace {

static_assert(Engine<ClassChain> && HidingEngine<ClassChain>);

ClassScores random_classes(std::size_t classes, std::size_t length, std::size_t states, std::uint64_t seed) {
  ClassScores scores;
  scores.shape(classes, length, states);
  Random random(seed + 1000);
  for (std::size_t c = 0; c < classes; ++c) {
    scores.chain(c) = random_chain(length, states, 1, seed * classes + c);
    scores.offset(c) = random.normal();
  }
  return scores;
}

double total(const ClassCounts& counts, const ClassScores& scores) {
  double sum = 0;
  for (std::size_t c = 0; c < scores.classes(); ++c)
    if (counts.amounts()[c] != 0) sum += counts.amounts()[c] * scores.offset(c);
  counts.for_each_node([&](std::size_t c, std::size_t t, int h, double amount) {
    sum += amount * scores.chain(c).node(t)[h];
  });
  counts.for_each_edge([&](std::size_t c, int a, int b, double amount) {
    sum += amount * scores.chain(c).edge(static_cast<std::size_t>(a))[b];
  });
  return sum;
}

void expect_enumeration(const ClassScores& scores) {
  ClassChain engine;
  ClassCounts counts;
  Enumeration<ClassChain> reference(engine, scores);
  for (double output : {0.0, 0.3, 1.0, 2.0})
    for (double latent : {0.0, 0.3, 1.0, 2.0}) {
      const double expected = reference.solve(scores, output, latent);
      EXPECT_NEAR(engine.solve(scores, output, latent, counts), expected, 1e-12 * (1 + std::abs(expected)));
      const ClassScores other =
          random_classes(scores.classes(), scores.chain(0).length(), scores.chain(0).labels(), 77);
      EXPECT_NEAR(total(counts, other), reference.mean(other), 1e-11) << output << ", " << latent;
    }
}

TEST(ClassChain, EqualsEnumeration) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) expect_enumeration(random_classes(3, 4, 3, seed));
  expect_enumeration(random_classes(4, 3, 1, 9));
  expect_enumeration(random_classes(2, 1, 5, 10));
}

TEST(ClassChain, EqualsEnumerationWithForbiddenOrHiddenClasses) {
  ClassScores scores = random_classes(4, 3, 2, 3);
  scores.offset(1) = kForbidden;
  scores.chain(2).node(1)[0] = kForbidden;
  expect_enumeration(scores);
  scores.hide();
  expect_enumeration(scores);
}

TEST(ClassChain, TheWinnerIsTheBestClassWithItsMostProbableStates) {
  ClassChain engine;
  ClassCounts counts;
  const ClassScores scores = random_classes(3, 5, 3, 4);
  const double best = engine.solve(scores, 0, 0, counts);
  EXPECT_NEAR(scores.of(counts.structure()), best, 1e-12);
  engine.solve(scores, 0, 1, counts);
  const ClassPath winner = counts.structure();
  EXPECT_EQ(winner.label, arg_max(counts.values()));
  ClassScores shifted = scores;
  shifted.offset((winner.label + 1) % 3) += 100;
  engine.solve(shifted, 1, 1, counts);
  EXPECT_EQ(counts.most_probable().label, (winner.label + 1) % 3);
}

TEST(ClassChain, SubtractionTakesAStructureAway) {
  ClassChain engine;
  ClassCounts counts;
  const ClassScores scores = random_classes(3, 4, 2, 5);
  ClassScores other = random_classes(3, 4, 2, 6);
  for (std::size_t c = 0; c < 3; ++c) other.offset(c) = 0;
  const ClassPath path{1, {0, 1, 1, 0}};
  for (double temperature : {0.0, 1.0}) {
    engine.solve(scores, temperature, temperature, counts);
    const double before = total(counts, other);
    counts.subtract(path);
    EXPECT_NEAR(total(counts, other), before - other.of(path), 1e-12);
  }
}

}  // namespace
}  // namespace hinge
