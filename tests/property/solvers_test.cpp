// Every registered solver, on every convex problem it serves, ends at the same objective: nobody's lower
// bound is above anybody's value. Tolerances are the solvers' own gaps.
#include <gtest/gtest.h>

#include <algorithm>

#include "hinge/core/random.h"
#include "hinge/oracle/check_task.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/solvers/cccp.h"
#include "hinge/tasks/multiclass/multiclass.h"
#include "hinge/tasks/sequence/sequence_task.h"
#include "tests/support/set_option.h"

namespace hinge {
namespace {

template <class T>
struct Problem {
  T task;
  std::vector<Example<T>> examples;
};

Problem<MulticlassTask> multiclass(std::uint64_t seed) {
  constexpr Index kFeatures = 8, kClasses = 4;
  Random random(seed);
  std::vector<double> costs(kClasses * kClasses);
  for (Index a = 0; a < kClasses; ++a)
    for (Index b = 0; b < kClasses; ++b) costs[a * kClasses + b] = a == b ? 0 : 0.5 + random.uniform();
  Problem<MulticlassTask> problem{{kFeatures, kClasses, costs}, {}};
  for (int i = 0; i < 50; ++i) {
    const auto y = static_cast<int>(random.below(kClasses));
    SparseRow x;
    for (Index j = 0; j < kFeatures; ++j) {
      if (random.uniform() < 0.4) continue;
      x.index.push_back(j);
      x.value.push_back(static_cast<float>(random.normal() + (static_cast<int>(j % kClasses) == y)));
    }
    problem.examples.push_back({x, y, 0.5 + random.uniform()});
  }
  return problem;
}

// Sequences of 2 to 6 tokens; each label likes one attribute, and its successor.
Problem<SequenceTask> sequences(std::uint64_t seed) {
  constexpr std::size_t kAttributes = 6, kLabels = 3;
  Problem<SequenceTask> problem{
      {Emissions::all(kAttributes, kLabels), kLabels, Transitions::all(kLabels), true, Hamming{}}, {}};
  Random random(seed);
  for (int i = 0; i < 40; ++i) {
    auto& [x, y, weight] = problem.examples.emplace_back();
    int label = static_cast<int>(random.below(kLabels));
    const std::size_t length = 2 + random.below(5);
    for (std::size_t t = 0; t < length; ++t) {
      if (random.uniform() < 0.7) label = (label + 1) % static_cast<int>(kLabels);
      y.push_back(label);
      for (Index a = 0; a < kAttributes; ++a) {
        if (random.uniform() > (static_cast<int>(a % kLabels) == label ? 0.7 : 0.3)) continue;
        x.attribute.push_back(a);
        x.value.push_back(static_cast<float>(0.5 + random.uniform()));
      }
      x.start.push_back(static_cast<Index>(x.attribute.size()));
    }
  }
  return problem;
}

bool baseline(const std::string& solver) { return solver == "subgradient" || solver == "stochastic"; }

constexpr double kGap = 1e-4;
// What 500 passes of a baseline must reach: a primal value within a tenth of the best one known.
constexpr double kBaselinePasses = 500, kBaselineExcess = 0.1;

template <class T>
void expect_agreement(const Problem<T>& problem, const Formulation& method, double C) {
  const TaskOracle<T> oracle(problem.task, problem.examples);
  SerialExecutor executor;
  std::vector<Summary> ends;
  for (const SolverKind& kind : solver_kinds()) {
    if (kind.name == "descent") continue;  // promises nothing
    if (kind.products_only) continue;      // see its own test
    Objective objective(oracle, method, C, executor);
    const auto solver = kind.name == "cccp" ? std::make_unique<Cccp>(make_solver("n_slack")) : kind.make();
    set_option(*solver, "gap", kGap);
    set_option(*solver, "max_passes", baseline(kind.name) ? kBaselinePasses : 5000);
    if ((kind.name == "lbfgs" || kind.name == "soft_dual") && !objective.smooth()) {
      EXPECT_THROW(solver->minimize(objective, {}, {}), InputError);
      continue;
    }
    Summary s = solver->minimize(objective, {}, {});
    EXPECT_NEAR(s.primal, objective.value(s.weights), 1e-12 * s.primal) << kind.name;
    if (!baseline(kind.name)) {
      EXPECT_EQ(s.termination, Termination::converged) << kind.name << ": " << s.message;
      EXPECT_LE(s.relative_gap(), kGap) << kind.name;
    }
    ends.push_back(std::move(s));
  }
  const double best = std::ranges::min(ends, {}, &Summary::primal).primal;
  for (const Summary& a : ends) {
    for (const Summary& b : ends)
      EXPECT_LE(a.dual, b.primal * (1 + 1e-12)) << a.solver << " above " << b.solver << ", " << method.name;
    if (baseline(a.solver)) {
      EXPECT_LE(a.primal, (1 + kBaselineExcess) * best) << a.solver;
    }
  }
}

class AllSolvers : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, AllSolvers, testing::Values(1, 2, 3));

TEST_P(AllSolvers, AgreeOnMulticlass) {
  const auto problem = multiclass(GetParam());
  for (double C : {1.0, 30.0})
    for (const char* method : {"ssvm", "crf", "softmax-margin"})
      expect_agreement(problem, Formulation::named(method), C);
}

TEST_P(AllSolvers, AgreeOnSequences) {
  const auto problem = sequences(GetParam());
  for (double C : {1.0, 30.0})
    for (const char* method : {"ssvm", "crf", "softmax-margin"})
      expect_agreement(problem, Formulation::named(method), C);
}

TEST_P(AllSolvers, AgreeOnSlackRescaling) {
  const auto slack = Formulation::named("ssvm", Rescaling::slack);
  expect_agreement(multiclass(GetParam()), slack, 10);
  expect_agreement(sequences(GetParam()), slack, 10);
}

TEST_P(AllSolvers, ProblemsKeepTheContract) {
  const auto a = multiclass(GetParam());
  const auto b = sequences(GetParam());
  const CheckReport first = check_task(a.task, a.examples), second = check_task(b.task, b.examples);
  EXPECT_TRUE(first.passed()) << first.text();
  EXPECT_TRUE(second.passed()) << second.text();
}

// The same planes serve another C, and n_slack goes on where frank_wolfe stopped.
TEST_P(AllSolvers, GoOnFromEachOthersPlanes) {
  const auto problem = sequences(GetParam());
  const TaskOracle<SequenceTask> oracle(problem.task, problem.examples);
  SerialExecutor executor;
  Objective first(oracle, {}, 5, executor), second(oracle, {}, 6, executor);
  for (const auto& [from, to] : {std::pair{"frank_wolfe", "n_slack"}, std::pair{"n_slack", "frank_wolfe"},
                                 std::pair{"one_slack", "bundle"}, std::pair{"bundle", "one_slack"}}) {
    const Summary before = make_solver(from)->minimize(first, {}, {});
    const Summary cold = make_solver(to)->minimize(second, {}, {});
    const Summary warm = make_solver(to)->minimize(second, {.planes = before.planes}, {});
    EXPECT_EQ(warm.termination, Termination::converged);
    EXPECT_LE(warm.oracle_calls, cold.oracle_calls) << from << " to " << to;
    EXPECT_LE(warm.dual, cold.primal) << from << " to " << to;
    EXPECT_LE(cold.dual, warm.primal) << from << " to " << to;
  }
}

TEST_P(AllSolvers, LeaveTheSameBitsForAnyNumberOfThreads) {
  const auto problem = sequences(GetParam());
  const TaskOracle<SequenceTask> oracle(problem.task, problem.examples);
  for (const SolverKind& kind : solver_kinds()) {
    if (kind.products_only) continue;  // see its own test
    std::vector<Vector> weights;
    for (std::size_t threads : {1, 2, 7}) {
      const auto executor = make_executor(threads);
      Objective objective(oracle, Formulation::named("crf"), 5, *executor);
      const auto solver = kind.make();
      set_option(*solver, "max_passes", 50);
      weights.push_back(solver->minimize(objective, {}, {}).weights);
    }
    EXPECT_EQ(weights[0], weights[1]) << kind.name;
    EXPECT_EQ(weights[0], weights[2]) << kind.name;
  }
}

}  // namespace
}  // namespace hinge
