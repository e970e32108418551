// What n_slack, one_slack and bundle promise.
#include <gtest/gtest.h>

#include "hinge/parallel/thread_executor.h"
#include "hinge/solvers/bundle.h"
#include "hinge/solvers/n_slack.h"
#include "hinge/solvers/one_slack.h"
#include "hinge/solvers/plane_model.h"
#include "tests/support/problems.h"

namespace hinge {
namespace {

using problems::Classes;
using problems::Hinges;

std::vector<std::unique_ptr<Solver>> solvers(double gap, int max_passes = 2000) {
  std::vector<std::unique_ptr<Solver>> list;
  const auto add = [&]<class S>(std::unique_ptr<S> solver) {
    solver->settings.gap = gap;
    solver->settings.max_passes = max_passes;
    list.push_back(std::move(solver));
  };
  add(std::make_unique<NSlack>());
  add(std::make_unique<OneSlack>());
  add(std::make_unique<Bundle>());
  auto cached = std::make_unique<OneSlack>();
  cached->settings.cache = 5;
  add(std::move(cached));
  return list;
}

struct ClassesProblem {
  Classes task;
  std::vector<Example<Classes>> examples;
  TaskOracle<Classes> oracle;
  explicit ClassesProblem(std::uint64_t seed, std::size_t size = 60)
      : examples(task.sample(size, seed)), oracle(task, examples) {}
};

void expect_certified(const Summary& s, const Objective& objective) {
  EXPECT_EQ(s.termination, Termination::converged) << s.solver;
  EXPECT_NEAR(s.primal, objective.value(s.weights), 1e-12 * s.primal) << s.solver;
  EXPECT_LE(s.dual, s.primal * (1 + 1e-12)) << s.solver;
}

TEST(CuttingPlanes, ReachTheKnownMinimum) {
  const Hinges hinges(30);
  SerialExecutor executor;
  for (double C : {0.5, 20.0, 3000.0})
    for (const auto& solver : solvers(1e-6)) {
      Objective objective(hinges, {}, C, executor);
      const Summary s = solver->minimize(objective, {}, {});
      const double minimum = hinges.minimum(C);
      expect_certified(s, objective);
      EXPECT_LE(s.relative_gap(), 1e-6);
      EXPECT_LE(s.dual, minimum * (1 + 1e-12)) << s.solver;
      EXPECT_GE(s.primal, minimum * (1 - 1e-12)) << s.solver;
    }
}

TEST(CuttingPlanes, AgreeWithinTheirGaps) {
  for (Rescaling rescaling : {Rescaling::margin, Rescaling::slack})
    for (std::uint64_t seed : {1, 2, 3})
      for (double C : {1.0, 100.0}) {
        const ClassesProblem problem(seed);
        SerialExecutor executor;
        std::vector<Summary> ends;
        for (const auto& solver : solvers(1e-5)) {
          Objective objective(problem.oracle, Formulation::named("ssvm", rescaling), C, executor);
          ends.push_back(solver->minimize(objective, {}, {}));
          expect_certified(ends.back(), objective);
        }
        for (const Summary& a : ends)
          for (const Summary& b : ends) EXPECT_LE(a.dual, b.primal) << a.solver << ", " << b.solver;
      }
}

TEST(CuttingPlanes, ServeADiagonalRegulariserWithACentre) {
  const ClassesProblem problem(4);
  Random random(4);
  Regulariser omega;
  for (Index j = 0; j < problem.task.dimension(); ++j) {
    omega.curvature.push_back(0.2 + random.uniform());
    omega.centre.push_back(random.normal());
  }
  SerialExecutor executor;
  std::vector<Summary> ends;
  for (const auto& solver : solvers(1e-5)) {
    Objective objective(problem.oracle, {}, 10, executor, omega);
    ends.push_back(solver->minimize(objective, {}, {}));
    expect_certified(ends.back(), objective);
  }
  for (const Summary& a : ends)
    for (const Summary& b : ends) EXPECT_LE(a.dual, b.primal) << a.solver << ", " << b.solver;
}

TEST(CuttingPlanes, GiveTheSameBitsForAnyNumberOfThreads) {
  const ClassesProblem problem(5, 600);
  for (std::size_t k = 0; k < solvers(1e-3).size(); ++k) {
    std::vector<Summary> ends;
    for (std::size_t threads : {1, 2, 7}) {
      const auto executor = make_executor(threads);
      Objective objective(problem.oracle, {}, 10, *executor);
      ends.push_back(solvers(1e-3)[k]->minimize(objective, {}, {}));
    }
    for (const Summary& s : ends) {
      EXPECT_EQ(s.weights, ends[0].weights) << s.solver;
      EXPECT_EQ(s.dual, ends[0].dual) << s.solver;
      EXPECT_EQ(s.oracle_calls, ends[0].oracle_calls) << s.solver;
    }
  }
}

TEST(CuttingPlanes, StopWhenTheObserverSaysSoAndKeepTheBest) {
  const ClassesProblem problem(6);
  SerialExecutor executor;
  for (const auto& solver : solvers(1e-9)) {
    Objective objective(problem.oracle, {}, 100, executor);
    const Summary s = solver->minimize(objective, {}, [](const Progress& p) { return p.iteration < 4; });
    EXPECT_EQ(s.termination, Termination::stopped);
    EXPECT_EQ(s.iterations, 4u);
    EXPECT_EQ(s.history.size(), 4u);
    EXPECT_NEAR(s.primal, objective.value(s.weights), 1e-12 * s.primal);
    for (std::size_t k = 1; k < s.history.size(); ++k) {
      EXPECT_LE(s.history[k].primal, s.history[k - 1].primal);
      EXPECT_GE(s.history[k].dual, s.history[k - 1].dual);
    }
  }
}

TEST(CuttingPlanes, StopAtTheLimitOfPasses) {
  const ClassesProblem problem(6);
  SerialExecutor executor;
  for (const auto& solver : solvers(1e-9, 3)) {
    Objective objective(problem.oracle, {}, 100, executor);
    const Summary s = solver->minimize(objective, {}, {});
    EXPECT_EQ(s.termination, Termination::iteration_limit) << s.solver;
    EXPECT_EQ(s.oracle_calls, 3 * problem.examples.size()) << s.solver;
  }
}

TEST(CuttingPlanes, EndWhereRoundingEnds) {
  const Hinges hinges(10);
  SerialExecutor executor;
  for (const auto& solver : solvers(0)) {
    Objective objective(hinges, {}, 5, executor);
    const Summary s = solver->minimize(objective, {}, {});
    EXPECT_NE(s.termination, Termination::iteration_limit) << s.solver;
    EXPECT_LE(std::abs(s.relative_gap()), 1e-12) << s.solver;
  }
}

TEST(CuttingPlanes, StartFromThePlanesOfAnotherC) {
  const ClassesProblem problem(7);
  SerialExecutor executor;
  for (const auto& solver : solvers(1e-4)) {
    Objective first(problem.oracle, {}, 10, executor), second(problem.oracle, {}, 12, executor);
    const Summary before = solver->minimize(first, {}, {});
    ASSERT_NE(before.planes, nullptr);
    const double dual = before.planes->dual();
    const Summary cold = solver->minimize(second, {}, {});
    const Summary warm = solver->minimize(second, {.planes = before.planes}, {});
    expect_certified(warm, second);
    EXPECT_LT(warm.oracle_calls, cold.oracle_calls) << warm.solver;
    EXPECT_LE(warm.dual, cold.primal) << warm.solver;
    EXPECT_LE(cold.dual, warm.primal) << warm.solver;
    EXPECT_EQ(before.planes->dual(), dual) << "the earlier summary is not touched";
  }
}

TEST(CuttingPlanes, TakeStartWeights) {
  const ClassesProblem problem(8);
  SerialExecutor executor;
  for (const auto& solver : solvers(1e-4)) {
    Objective objective(problem.oracle, {}, 10, executor);
    const Summary cold = solver->minimize(objective, {}, {});
    const Summary warm = solver->minimize(objective, {.weights = cold.weights}, {});
    expect_certified(warm, objective);
    EXPECT_LE(warm.history.front().primal, cold.primal * (1 + 1e-12)) << warm.solver;
  }
}

TEST(CuttingPlanes, CacheSavesPasses) {
  const ClassesProblem problem(9, 200);
  SerialExecutor executor;
  Objective objective(problem.oracle, {}, 100, executor);
  OneSlack plain, cached;
  cached.settings.cache = 10;
  const Summary a = plain.minimize(objective, {}, {}), b = cached.minimize(objective, {}, {});
  EXPECT_LT(b.oracle_calls, a.oracle_calls);
  EXPECT_LE(a.dual, b.primal);
  EXPECT_LE(b.dual, a.primal);
}

}  // namespace
}  // namespace hinge
