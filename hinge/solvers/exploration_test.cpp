#include "hinge/solvers/exploration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hinge/oracle/drawn_oracle.h"
#include "hinge/solvers/cccp.h"
#include "hinge/solvers/lbfgs.h"
#include "tests/support/hidden_classes.h"

namespace hinge {
namespace {

using problems::HiddenClasses;

constexpr double kC = 20;

Vector zeros(const Oracle& oracle) { return Vector(oracle.dimension(), 0.0); }

// Hidden states that no weight tells apart: from zero weights neither solver ever leaves them alike, although
// better weights exist.
TEST(Exploration, LeavesTheSaddleOfExchangeableStates) {
  const HiddenClasses oracle(60, 2, 0, 5);
  SerialExecutor executor;
  for (const char* method : {"mssvm", "hcrf"}) {
    const Formulation f = Formulation::named(method);
    const auto solver = f.smooth() ? make_solver("lbfgs") : make_solver("cccp");
    Objective objective(oracle, f, kC, executor);
    const Summary stuck = solver->descend(objective, {zeros(oracle), nullptr}, {});
    const Index half = HiddenClasses::kInputs;  // the two states of a class lie side by side
    for (Index p = 0; p < HiddenClasses::kClasses; ++p)
      for (Index j = 0; j < half; ++j)
        EXPECT_NEAR(stuck.weights[2 * p * half + j], stuck.weights[(2 * p + 1) * half + j], 1e-9);

    Objective again(oracle, f, kC, executor);
    const Summary left = explore(*solver, again, {}, {.init = zeros(oracle)}, {});
    EXPECT_LT(left.primal, 0.99 * stuck.primal) << method;
    EXPECT_NE(left.message.find("saddle"), std::string::npos) << left.message;

    Objective direct(oracle, f, kC, executor);  // whoever calls the solver gets the same
    const Summary minimized = solver->minimize(direct, {}, {});
    EXPECT_EQ(minimized.weights, left.weights) << method;
    EXPECT_EQ(minimized.message, left.message);
    EXPECT_EQ(minimized.oracle_calls, left.oracle_calls);

    Objective third(oracle, f, kC, executor);
    const Summary random = explore(*solver, third, {}, {}, {});
    EXPECT_LT(random.primal, 0.99 * stuck.primal) << method;
  }
}

TEST(Exploration, KeepsTheBestRestart) {
  const HiddenClasses oracle(60, 3, 0, 6);
  SerialExecutor executor;
  Objective objective(oracle, Formulation::named("lssvm"), kC, executor);
  const Summary s = explore(Cccp(), objective, {}, {.spread = 1, .restarts = 5}, {});
  ASSERT_EQ(s.restarts.size(), 5u);
  EXPECT_GT(*std::ranges::max_element(s.restarts), *std::ranges::min_element(s.restarts));
  EXPECT_LE(s.primal, *std::ranges::min_element(s.restarts));
  EXPECT_NE(s.message.find("5 starts ended at"), std::string::npos) << s.message;
  EXPECT_EQ(s.history.size(), s.iterations);
  for (std::size_t k = 1; k < s.history.size(); ++k)
    EXPECT_GE(s.history[k].oracle_calls, s.history[k - 1].oracle_calls);
  EXPECT_GE(s.oracle_calls, s.history.back().oracle_calls);

  Objective alone(oracle, Formulation::named("lssvm"), kC, executor);
  const Summary first = explore(Cccp(), alone, {}, {.spread = 1}, {});
  EXPECT_TRUE(first.restarts.empty());
  EXPECT_LE(first.primal,
            s.restarts.front());  // it goes on from there, perhaps lower than from the best of five
}

// Where weights stay near zero whatever the start, the message says so.
TEST(Exploration, SaysWhenNothingWasLearned) {
  const HiddenClasses oracle(60, 3, 0, 6);
  SerialExecutor executor;
  for (const double C : {1e-6, kC}) {
    Objective objective(oracle, Formulation::named("lssvm"), C, executor);
    const Summary s = explore(Cccp(), objective, {}, {.spread = 1}, {});
    EXPECT_EQ(s.message.find("zero weights") != std::string::npos, C < 1) << s.message;
    Objective direct(oracle, Formulation::named("lssvm"), C, executor);
    const Summary m = make_solver("cccp")->minimize(direct, {}, {});
    EXPECT_EQ(m.message.find("zero weights") != std::string::npos, C < 1) << m.message;
  }
}

TEST(Exploration, AnnealsToTheMethodsTemperatures) {
  const HiddenClasses oracle(60, 3, 0, 6);
  SerialExecutor executor;
  for (const char* method : {"lssvm", "mssvm"}) {
    const Formulation f = Formulation::named(method);
    Objective objective(oracle, f, kC, executor);
    const Summary s = explore(Cccp(), objective, {}, {.anneal = 3}, {});
    EXPECT_EQ(s.termination, Termination::converged);
    objective.linearize(s.weights);
    EXPECT_NEAR(objective.value(s.weights), s.primal, 1e-12 * s.primal)
        << "the objective is the method's own";
  }
}

TEST(Exploration, StopsAtOnceAndKeepsTheBest) {
  const HiddenClasses oracle(60, 3, 0, 6);
  SerialExecutor executor;
  for (int last : {1, 5, 20}) {
    Objective objective(oracle, Formulation::named("lssvm"), kC, executor);
    int told = 0;
    const Summary s = explore(Cccp(), objective, {}, {.restarts = 3, .anneal = 2},
                              [&](const Progress&) { return ++told < last; });
    EXPECT_EQ(told, last);
    EXPECT_EQ(s.termination, Termination::stopped);
    objective.linearize(s.weights);
    EXPECT_NEAR(objective.value(s.weights), s.primal, 1e-12 * s.primal);
  }
}

TEST(Exploration, IsTheSolverOnCompleteLabels) {
  const HiddenClasses oracle(30, 1, 1, 5);
  SerialExecutor executor;
  Objective a(oracle, Formulation::named("ssvm"), kC, executor),
      b(oracle, Formulation::named("ssvm"), kC, executor);
  const auto solver = make_solver("n_slack");
  EXPECT_EQ(explore(*solver, a, {}, {}, {}).weights, solver->minimize(b, {}, {}).weights);
}

TEST(Exploration, BeginsFromDrawnStructures) {
  const HiddenClasses oracle(60, 3, 0, 6);
  SerialExecutor executor;
  const Formulation f = Formulation::named("lssvm");
  Objective objective(oracle, f, kC, executor);
  const Exploration exploration{.drawn = true, .restarts = 4, .seed = 3};
  const Summary s = explore(Cccp(), objective, {}, exploration, {});
  ASSERT_EQ(s.restarts.size(), 4u);
  EXPECT_GT(*std::ranges::max_element(s.restarts), *std::ranges::min_element(s.restarts));

  const DrawnOracle drawn(oracle, 3);
  Objective convex(drawn, f, kC, executor), again(oracle, f, kC, executor);
  const Summary first = Cccp().minimize(convex, {}, {});
  const Summary second = Cccp().descend(again, {first.weights, nullptr}, {});
  EXPECT_EQ(second.primal, s.restarts.front());
  EXPECT_LT(second.primal, first.primal);
}

// A task that cannot draw is refused, instead of learning from empty planes.
TEST(Exploration, RefusesToDrawWhereTheTaskCannot) {
  const HiddenClasses hidden(20, 2, 0, 6);
  struct Undrawn final : ForwardingOracle {
    using ForwardingOracle::ForwardingOracle;
    bool draw(std::size_t, std::uint64_t, Plane&) const override { return false; }
  };
  const Undrawn oracle(hidden);
  SerialExecutor executor;
  Objective objective(oracle, Formulation::named("lssvm"), kC, executor);
  EXPECT_THROW(explore(Cccp(), objective, {}, {.drawn = true}, {}), InputError);
  EXPECT_THROW(DrawnOracle(oracle, 1), InputError);
}

TEST(SupervisedStart, LearnsFromCompleteLabelsOnly) {
  SerialExecutor executor;
  const HiddenClasses some(60, 2, 0.5, 5), none(60, 2, 0, 5);
  const Formulation f = Formulation::named("hcrf");
  const Objective objective(some, f, kC, executor);
  const Lbfgs lbfgs;
  const Summary first = supervised_start(lbfgs, objective, {});
  EXPECT_EQ(first.termination, Termination::converged);
  EXPECT_GT(first.oracle_calls, 0u);
  const Vector& w = first.weights;
  EXPECT_GT(squared_norm(w), 0);
  Objective again(some, f, kC, executor);
  const Summary s = explore(lbfgs, again, {}, {.init = w}, {});
  EXPECT_LT(s.primal, again.value(w));
  EXPECT_LT(again.value(w), again.value(zeros(some)));
  EXPECT_THROW(supervised_start(lbfgs, Objective(none, f, kC, executor), {}), InputError);
}

}  // namespace
}  // namespace hinge
