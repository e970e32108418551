#include "hinge/solvers/frank_wolfe.h"

#include <gtest/gtest.h>

#include "hinge/core/random.h"
#include "hinge/learning/limits.h"
#include "hinge/oracle/forwarding_oracle.h"
#include "hinge/oracle/task_oracle.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/solvers/plane_model.h"
#include "hinge/tasks/multiclass/multiclass.h"
#include "hinge/tasks/sequence/reader.h"
#include "hinge/tasks/sequence/sequence_task.h"
#include "tests/support/data.h"

namespace hinge {
namespace {

struct Problem {
  SequenceTask task;
  std::vector<Example<SequenceTask>> examples;
  TaskOracle<SequenceTask> oracle{task, examples};
};

Problem noisy_sequences(std::size_t count) {
  constexpr std::size_t labels = 4, attributes = 12;
  std::vector<Example<SequenceTask>> examples(count);
  Random random(8);
  for (auto& [x, y, weight] : examples) {
    for (std::size_t t = 0; t < 6; ++t) {
      const Index label = static_cast<Index>(random.below(labels));
      const Index shown = random.uniform() < 0.7 ? label : static_cast<Index>(random.below(labels));
      x.attribute.push_back(shown);
      x.attribute.push_back(labels + static_cast<Index>(random.below(attributes - labels)));
      x.start.push_back(static_cast<Index>(x.attribute.size()));
      y.push_back(static_cast<int>(label));
    }
  }
  return {{Emissions::all(attributes, labels), labels, Transitions::all(labels), false, Hamming{}},
          std::move(examples)};
}

std::vector<Example<MulticlassTask>> noisy_rows(std::size_t count, Index features, Index classes) {
  std::vector<Example<MulticlassTask>> examples(count);
  Random random(9);
  for (auto& [x, y, weight] : examples) {
    y = static_cast<int>(random.below(classes));
    for (Index j = 0; j < features; ++j)
      if (j == static_cast<Index>(y) || random.uniform() < 0.3) {
        x.index.push_back(j);
        x.value.push_back(static_cast<float>(random.normal() + (j == static_cast<Index>(y) ? 1 : 0)));
      }
    weight = 0.5 + random.uniform();
  }
  return examples;
}

// The same examples, whose planes must be found one at a time.
using OneAtATime = ForwardingOracle;

Summary solve(const Oracle& oracle, double C, double gap, Executor& executor, Start start = {},
              const Observer& observer = {}, Rescaling rescaling = Rescaling::margin) {
  Formulation formulation = Formulation::named("ssvm");
  formulation.rescaling = rescaling;
  Objective objective(oracle, formulation, C, executor);
  FrankWolfe solver;
  solver.settings.gap = gap;
  return solver.minimize(objective, std::move(start), observer);
}

TEST(FrankWolfe, ItsBoundsHoldTheOptimum) {
  const Problem problem = noisy_sequences(80);
  SerialExecutor executor;
  for (double C : {0.1, 1.0, 30.0}) {
    const Summary tight = solve(problem.oracle, C, 1e-6, executor),
                  loose = solve(problem.oracle, C, 0.05, executor);
    EXPECT_EQ(tight.termination, Termination::converged);
    EXPECT_LE(tight.relative_gap(), 1e-6);
    EXPECT_LE(loose.dual, tight.primal);
    EXPECT_GE(loose.primal, tight.dual);
    EXPECT_LT(loose.oracle_calls, tight.oracle_calls);
    Objective objective(problem.oracle, Formulation::named("ssvm"), C, executor);
    EXPECT_NEAR(objective.value(tight.weights), tight.primal, 1e-12 * tight.primal);
  }
}

// A gap is infinite before the primal is known, and a wish for a gap makes it known in time.
TEST(FrankWolfe, StopsAtAGapThatIsWished) {
  const Problem problem = noisy_sequences(80);
  SerialExecutor executor;
  std::size_t unknown = 0;
  const auto look = [&](const Progress& p) {
    EXPECT_FALSE(std::isnan(p.relative_gap()));
    EXPECT_GE(p.relative_gap(), 0);
    unknown += std::isinf(p.relative_gap()) ? 1 : 0;
    return true;
  };
  const Summary all = solve(problem.oracle, 30, 1e-6, executor, {}, look);
  EXPECT_GT(unknown, 0u);
  const Summary relative = solve(problem.oracle, 30, 1e-6, executor, {}, relative_gap_limit(0.05, look));
  EXPECT_EQ(relative.termination, Termination::stopped);
  EXPECT_LE(relative.relative_gap(), 0.05);
  EXPECT_LT(relative.oracle_calls, all.oracle_calls / 2);
  const Summary absolute = solve(problem.oracle, 30, 1e-6, executor, {}, gap_limit(0.05 * all.primal, look));
  EXPECT_EQ(absolute.termination, Termination::stopped);
  EXPECT_LE(absolute.gap(), 0.05 * all.primal);
  Objective objective(problem.oracle, Formulation::named("ssvm"), 30, executor);
  EXPECT_NEAR(objective.value(relative.weights), relative.primal, 1e-12 * relative.primal);
}

TEST(FrankWolfe, GivesTheSameBitsForAnyNumberOfThreads) {
  const Problem problem = noisy_sequences(60);
  SerialExecutor serial;
  const Summary alone = solve(problem.oracle, 10, 1e-4, serial);
  for (std::size_t threads : {2u, 7u}) {
    const auto executor = make_executor(threads);
    EXPECT_EQ(solve(problem.oracle, 10, 1e-4, *executor).weights, alone.weights);
  }
}

TEST(FrankWolfe, MeetsTheSameOptimumWithListedPlanes) {
  const MulticlassTask task(12, 4, {0, 1, 2, 3, 1, 0, 1, 2, 0, 1, 0, 1, 3, 2, 1, 0});
  const auto examples = noisy_rows(100, 12, 4);
  const TaskOracle<MulticlassTask> oracle(task, examples);
  const OneAtATime slow(oracle);
  SerialExecutor serial;
  const auto threads = make_executor(3);
  for (double C : {0.1, 3.0, 100.0})
    for (Rescaling rescaling : {Rescaling::margin, Rescaling::slack}) {
      const Summary listed = solve(oracle, C, 1e-6, serial, {}, {}, rescaling),
                    found = solve(slow, C, 1e-6, serial, {}, {}, rescaling);
      EXPECT_EQ(listed.termination, Termination::converged);
      EXPECT_LE(listed.relative_gap(), 1e-6);
      EXPECT_LE(listed.dual, found.primal);
      EXPECT_LE(found.dual, listed.primal);
      EXPECT_EQ(solve(oracle, C, 1e-6, *threads, {}, {}, rescaling).weights, listed.weights);
      Summary looser = solve(oracle, 0.9 * C, 1e-6, serial, {}, {}, rescaling);
      const Summary warm = solve(oracle, C, 1e-6, serial, {{}, looser.planes}, {}, rescaling);
      EXPECT_LE(warm.dual, listed.primal);
      EXPECT_LE(listed.dual, warm.primal);
    }
}

TEST(FrankWolfe, GoesOnFromThePlanesOfAnotherC) {
  const Problem problem = noisy_sequences(80);
  SerialExecutor executor;
  Summary first = solve(problem.oracle, 1, 1e-4, executor);
  const Summary cold = solve(problem.oracle, 2, 1e-4, executor);
  const Summary warm = solve(problem.oracle, 2, 1e-4, executor, {first.weights, first.planes});
  EXPECT_LE(warm.dual, cold.primal);
  EXPECT_GE(warm.primal, cold.dual);
  EXPECT_LT(warm.oracle_calls, cold.oracle_calls);
}

// Blocks whose inputs are a thousand times as large as what tells them apart push each other to and fro: D rises by as
// little in each pass as in the last.
TEST(FrankWolfe, EndsCachedPassesThatLeadNowhere) {
  constexpr Index bias = 4;
  std::vector<Example<MulticlassTask>> examples = {
      {{{0, bias}, {-1, 1}}, 1, .5},
      {{{1, 2, bias}, {-1, 1024, 1}}, 2, 2},
      {{{2, bias}, {1024, 1}}, 1},
      {{{bias}, {1}}, 1, .5},
      {{{0, 1, bias}, {3, .5, 1}}, 2, 1},
      {{{1, bias}, {3, 1}}, 0, .5},
      {{{2, bias}, {1024, 1}}, 0, .5},
      {{{0, 1, 2, 3, bias}, {1024, 3, 1024, .75, 1}}, 1, .25},
      {{{1, 2, bias}, {-.25, 1024, 1}}, 1, .5},
  };
  const MulticlassTask task(5, 3, {0, .5, .5, .5, 0, 0, 1, 1, 0});
  const TaskOracle<MulticlassTask> all(task, examples);
  const OneAtATime oracle(all);
  SerialExecutor executor;
  std::size_t asked = 0;
  Objective objective(oracle, Formulation::named("ssvm"), 1000, executor);
  FrankWolfe solver;
  solver.settings.max_passes = 1000;
  const Summary summary = solver.minimize(objective, {}, Observer({}, [&] {
                                            ++asked;  // a dozen examples: a wave is a pass
                                            return false;
                                          }));
  EXPECT_LE(asked, 2 * 2100 * summary.iterations);  // cached passes come twice in a round at most
  EXPECT_LE(summary.dual, summary.primal);
}

TEST(FrankWolfe, NeverEndsWorseThanGivenWeights) {
  const Problem problem = noisy_sequences(40);
  SerialExecutor executor;
  const Summary good = solve(problem.oracle, 5, 1e-6, executor);
  const Summary again = solve(problem.oracle, 5, 0.5, executor, {good.weights, nullptr});
  EXPECT_LE(again.primal, good.primal * (1 + 1e-12));
}

TEST(FrankWolfe, KeepsWhatThereIsWhenStopped) {
  const Problem problem = noisy_sequences(80);
  SerialExecutor executor;
  const Summary stopped =
      solve(problem.oracle, 10, 0, executor, {}, [](const Progress& p) { return p.iteration < 2; });
  EXPECT_EQ(stopped.termination, Termination::stopped);
  EXPECT_EQ(stopped.iterations, 2u);
  EXPECT_TRUE(std::isfinite(stopped.primal));
  EXPECT_LE(stopped.dual, stopped.primal);
}

// The optimum of OCR fold 0 at C = 10 lies between 49.21618 and 49.21633.
TEST(FrankWolfe, FindsTheKnownOptimumOfTheLetters) {
  const auto file = data_file("ocr/letter.data");
  if (!file) GTEST_SKIP() << "skipped: no data";
  SequenceFormat format;
  format.format = "letter";
  format.folds = "0";
  SequenceSchema schema;
  SequenceCorpus corpus = make_sequence_reader(format)->read_training({*file}, schema);
  const std::size_t K = schema.labels.size();
  const SequenceTask task(Emissions::all(schema.attributes.size(), K), K, Transitions::all(K), false, {});
  std::vector<Example<SequenceTask>> examples;
  for (std::size_t i = 0; i < corpus.inputs.size(); ++i)
    examples.push_back({corpus.inputs[i], corpus.labels[i]});
  const TaskOracle<SequenceTask> oracle(task, examples);
  SerialExecutor executor;
  const Summary summary = solve(oracle, 10, 1e-3, executor);
  EXPECT_LE(summary.dual, 49.21633);
  EXPECT_GE(summary.primal, 49.21618);
  EXPECT_LE(summary.relative_gap(), 1e-3);
}

}  // namespace
}  // namespace hinge
