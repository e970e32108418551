// A wish to stop ends every solver between two oracle calls, and what it returns is true of its weights.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "hinge/learning/limits.h"
#include "hinge/oracle/forwarding_oracle.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/solvers/cccp.h"
#include "hinge/solvers/exploration.h"
#include "hinge/tasks/multiclass/multiclass.h"
#include "tests/support/hidden_classes.h"
#include "tests/support/problems.h"
#include "tests/support/set_option.h"

namespace hinge {
namespace {

using problems::HiddenClasses;

constexpr double kC = 20;

class Counted final : public ForwardingOracle {
 public:
  using ForwardingOracle::ForwardingOracle;
  void support(std::size_t i, Weights w, const Query& query, Plane& out) const override {
    ++calls_;
    ForwardingOracle::support(i, w, query, out);
  }
  double add_support(std::size_t i, Weights w, const Query& query, double factor,
                     std::span<double> slope) const override {
    ++calls_;
    return ForwardingOracle::add_support(i, w, query, factor, slope);
  }
  std::size_t calls() const { return calls_; }
  Observer stop_after(std::size_t calls) const {
    return {{}, [this, calls] { return calls_ >= calls; }};
  }

 private:
  mutable std::atomic<std::size_t> calls_ = 0;
};

// What a stopped run says holds: its primal is its weights' objective where it has one, its dual no more than
// the optimum.
void expect_truth(const Summary& s, const Objective& objective, double optimum, const std::string& what) {
  ASSERT_EQ(s.weights.size(), objective.dimension()) << what;
  EXPECT_EQ(s.termination, Termination::stopped) << what;
  EXPECT_LE(s.dual, optimum * (1 + 1e-9)) << what;
  if (std::isfinite(s.primal)) {
    EXPECT_NEAR(s.primal, objective.value(s.weights), 1e-9 * s.primal) << what;
  } else {
    EXPECT_NE(s.message.find("not computed"), std::string::npos) << what << ": " << s.message;
  }
  EXPECT_FALSE(std::isnan(s.relative_gap())) << what;
}

constexpr std::size_t kStops[] = {0, 1, 30, 61, 200, 333};
constexpr std::size_t kThreads[] = {1, 2, 7};

TEST(Stopping, EndsEveryConvexSolverWithinACallForEachThread) {
  const problems::Classes task;
  const auto examples = task.sample(60, 3);
  const TaskOracle<problems::Classes> oracle(task, examples);
  for (const SolverKind& kind : solver_kinds())
    for (const std::size_t threads : kThreads)
      for (const std::size_t stop : kStops) {
        const auto executor = make_executor(threads);
        const Counted counted(oracle);
        if (kind.products_only) continue;  // see its own test
        const bool smooth = kind.name == "lbfgs" || kind.name == "soft_dual";
        if (smooth) continue;  // below, and in its own test: this task has no soft maxima
        Objective objective(counted, Formulation::named("ssvm"), kC, *executor),
            free(oracle, Formulation::named("ssvm"), kC, *executor);
        const auto solver = kind.make();
        set_option(*solver, "gap", 1e-9);
        const Summary s = solver->minimize(objective, {}, counted.stop_after(stop));
        const std::string what = fmt::format("{}, {} threads, {} calls", kind.name, threads, stop);
        EXPECT_LE(counted.calls(), stop + threads) << what;
        static const double optimum = make_solver("n_slack")->minimize(free, {}, {}).primal;
        expect_truth(s, free, optimum, what);
      }
}

TEST(Stopping, EndsEverySolverOfHiddenPartsWithinACallForEachThread) {
  const HiddenClasses oracle(60, 3, 0.25, 6);
  for (const SolverKind& kind : solver_kinds())
    for (const std::size_t threads : kThreads)
      for (const std::size_t stop : {0, 1, 30, 61, 200, 333, 2000, 5000}) {
        if (kind.name == "soft_dual" || kind.products_only)
          continue;  // they need parts or products: own tests
        const auto executor = make_executor(threads);
        const Counted counted(oracle);
        const Formulation f = Formulation::named(kind.name == "lbfgs" ? "hcrf" : "mssvm");
        Objective objective(counted, f, kC, *executor), free(oracle, f, kC, *executor);
        std::unique_ptr<Solver> solver = kind.make();
        if (kind.convex_only) solver = std::make_unique<Cccp>(std::move(solver));
        const Exploration exploration{.restarts = 3, .anneal = kind.name == "lbfgs" ? 0 : 2};
        const Summary s = explore(*solver, objective, {}, exploration, counted.stop_after(stop));
        const std::string what = fmt::format("{}, {} threads, {} calls", kind.name, threads, stop);
        EXPECT_LE(counted.calls(), stop + threads) << what;
        if (counted.calls() >= stop) expect_truth(s, free, INFINITY, what);
      }
}

TEST(Stopping, EndsASupervisedStart) {
  const HiddenClasses oracle(60, 3, 0.5, 6);
  SerialExecutor executor;
  for (const std::size_t stop : kStops) {
    const Counted counted(oracle);
    const Objective objective(counted, Formulation::named("lssvm"), kC, executor);
    const Summary s = supervised_start(Cccp(), objective, counted.stop_after(stop));
    EXPECT_LE(counted.calls(), stop + 1);
    EXPECT_EQ(s.weights.size(), oracle.dimension());
  }
}

// Where all planes of an example are listed, a call is the search among them.
TEST(Stopping, EndsPassesOverListedPlanes) {
  const MulticlassTask task(6, 3, {0, 1, 1, 1, 0, 1, 1, 1, 0});
  std::vector<Example<MulticlassTask>> examples(50);
  for (std::size_t i = 0; i < examples.size(); ++i)
    examples[i] = {{{static_cast<Index>(i % 6)}, {1}}, static_cast<int>(i % 3), 1};
  const TaskOracle<MulticlassTask> oracle(task, examples);
  SerialExecutor executor;
  for (const std::size_t stop : {0u, 1u, 20u, 70u}) {
    Objective objective(oracle, Formulation::named("ssvm"), kC, executor);
    const Observer observer({}, [&] { return objective.oracle_calls() >= stop; });
    const Summary s = make_solver("frank_wolfe")->minimize(objective, {}, observer);
    EXPECT_EQ(s.oracle_calls, stop);
    EXPECT_EQ(s.termination, Termination::stopped);
  }
}

// A predicate that never stops changes no bit.
TEST(Stopping, ChangesNothingUntilItStops) {
  const HiddenClasses oracle(40, 2, 0.25, 4);
  SerialExecutor executor;
  for (const char* method : {"mssvm", "hcrf"}) {
    Objective a(oracle, Formulation::named(method), kC, executor),
        b(oracle, Formulation::named(method), kC, executor);
    const auto solver = make_solver("cccp");
    EXPECT_EQ(solver->minimize(a, {}, {}).weights, solver->minimize(b, {}, time_limit(1e9)).weights);
  }
}

}  // namespace
}  // namespace hinge
