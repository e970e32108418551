#include "hinge/solvers/cccp.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "hinge/core/random.h"
#include "hinge/oracle/forwarding_oracle.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/solvers/descent.h"
#include "hinge/solvers/lbfgs.h"
#include "hinge/solvers/starting_planes.h"
#include "tests/support/hidden_classes.h"
#include "tests/support/set_option.h"

namespace hinge {
namespace {

using problems::HiddenClasses;

constexpr double kC = 5;

Vector random_weights(const Oracle& oracle, double spread, std::uint64_t seed) {
  Random random(seed);
  Vector w(oracle.dimension());
  for (double& v : w) v = spread * random.normal();
  return w;
}

// Ω + Σ κ (free − clamped), asked term by term.
double true_value(const Oracle& oracle, const Formulation& f, Weights w) {
  double sum = 0.5 * squared_norm(w);
  Plane plane;
  const auto at = [&](std::size_t i, Side side) {
    oracle.support(i, w, f.query(side), plane);
    return plane.at(w);
  };
  for (std::size_t i = 0; i < oracle.size(); ++i)
    sum += kC * oracle.weight(i) / static_cast<double>(oracle.size()) *
           (oracle.determined(i) ? at(i, Side::excess) : at(i, Side::free) - at(i, Side::clamped));
  return sum;
}

struct Case {
  std::string inner, method;
};
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const SolverKind& kind : solver_kinds()) {
    if (kind.name == "cccp" || kind.name == "descent") continue;
    if (kind.products_only) continue;        // and no products: see its own test
    if (kind.name == "soft_dual") continue;  // these classes have no parts: see its own test
    for (const char* method : {"lssvm", "mssvm", "hcrf", "epsilon"})
      if (kind.name != "lbfgs" || Formulation::named(method).smooth()) all.push_back({kind.name, method});
  }
  return all;
}

// Every answer takes a tenth of a millisecond.
class SlowOracle final : public ForwardingOracle {
 public:
  using ForwardingOracle::ForwardingOracle;
  void support(std::size_t i, Weights w, const Query& query, Plane& out) const override {
    std::this_thread::sleep_for(kSlow);
    behind_.support(i, w, query, out);
  }
  double add_support(std::size_t i, Weights w, const Query& query, double factor,
                     std::span<double> slope) const override {
    return Oracle::add_support(i, w, query, factor, slope);
  }
  static constexpr std::chrono::microseconds kSlow{100};
};

// What the solver inside asks is inference too.
TEST(Cccp, CountsTheTimeOfInference) {
  const HiddenClasses hidden(10, 2, 0.5, 1);
  const SlowOracle slow(hidden);
  SerialExecutor executor;
  for (const char* inner : {"bundle", "frank_wolfe"}) {
    Objective objective(slow, Formulation::named("lssvm"), kC, executor);
    const Summary s = Cccp(make_solver(inner)).descend(objective, {}, {});
    EXPECT_GE(s.phases.oracle, static_cast<double>(s.oracle_calls) * 1e-4) << inner;
  }
}

class CccpAround : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, CccpAround, testing::ValuesIn(cases()),
                         [](const auto& one) { return one.param.inner + "_" + one.param.method; });

constexpr double kGap = 1e-6, kTolerance = 1e-5;

Cccp around(const std::string& name) {
  auto inner = make_solver(name);
  const bool baseline = name == "subgradient" || name == "stochastic";
  set_option(*inner, "gap", baseline ? 1e-3 : kGap);
  set_option(*inner, "max_passes", 3000);
  Cccp cccp(std::move(inner));
  cccp.settings.decrease = kTolerance;
  return cccp;
}

TEST_P(CccpAround, GoesDownEveryRoundToAStationaryPoint) {
  const auto& [inner, method] = GetParam();
  const HiddenClasses oracle(24, 2, 0.25, 3);
  SerialExecutor executor;
  const Formulation f = Formulation::named(method);
  Objective objective(oracle, f, kC, executor);
  const Vector start = random_weights(oracle, 0.3, 7);
  const Summary s = around(inner).descend(objective, {start, nullptr}, {});

  EXPECT_EQ(s.termination, Termination::converged) << s.message;
  EXPECT_NE(s.message.find("not convex"), std::string::npos);
  EXPECT_EQ(s.dual, -INFINITY);
  EXPECT_NEAR(s.primal, true_value(oracle, f, s.weights), 1e-12 * s.primal);
  double last = true_value(oracle, f, start);
  for (const Progress& p : s.history) {
    EXPECT_LE(p.primal, last);
    last = p.primal;
  }
  EXPECT_LT(s.primal, 0.9 * true_value(oracle, f, start));

  // Stationary: the bound that touches there cannot be lowered by more than the tolerance and the gaps.
  objective.linearize(s.weights);
  const auto judge = make_solver("n_slack");
  set_option(*judge, "gap", kGap);
  const Summary bound = judge->minimize(objective, {s.weights, nullptr}, {});
  EXPECT_GE(bound.primal, s.primal * (1 - kTolerance - s.history.back().inner_gap - kGap));
}

TEST_P(CccpAround, LeavesTheSameBitsForAnyNumberOfThreads) {
  const auto& [inner, method] = GetParam();
  const HiddenClasses oracle(40, 2, 0.25, 4);
  std::vector<Vector> weights;
  for (std::size_t threads : {1, 2, 7}) {
    const auto executor = make_executor(threads);
    Objective objective(oracle, Formulation::named(method), kC, *executor);
    Cccp cccp = around(inner);
    cccp.settings.max_rounds = 3;
    weights.push_back(cccp.minimize(objective, {random_weights(oracle, 0.3, 7), nullptr}, {}).weights);
  }
  EXPECT_EQ(weights[0], weights[1]);
  EXPECT_EQ(weights[0], weights[2]);
}

// With complete labels every method of a pair is the convex one, and cccp is the solver inside.
TEST_P(CccpAround, IsTheConvexProblemOnCompleteLabels) {
  const auto& [inner, method] = GetParam();
  const HiddenClasses oracle(30, 1, 1, 5);
  SerialExecutor executor;
  Objective objective(oracle, Formulation::named(method), kC, executor);
  const Summary s = around(inner).minimize(objective, {}, {});
  EXPECT_EQ(s.solver, inner);
  const std::string partner = method == "hcrf" ? "crf" : method == "epsilon" ? "epsilon" : "ssvm";
  Objective convex(oracle, Formulation::named(partner), kC, executor);
  const auto judge = make_solver("n_slack");
  set_option(*judge, "gap", kGap);
  const Summary expected = judge->minimize(convex, {}, {});
  EXPECT_LE(expected.dual, s.primal * (1 + 1e-12));
  EXPECT_LE(s.dual, expected.primal * (1 + 1e-12));
}

TEST(Cccp, KeepsWhatThereIsWhenItIsStopped) {
  const HiddenClasses oracle(24, 2, 0.25, 3);
  SerialExecutor executor;
  const Formulation f = Formulation::named("mssvm");
  Objective objective(oracle, f, kC, executor);
  const Vector start = random_weights(oracle, 0.3, 7);
  int told = 0;
  const Summary s = around("frank_wolfe").minimize(objective, {start, nullptr}, [&](const Progress& p) {
    EXPECT_EQ(p.dual, -INFINITY);
    return ++told < 8;
  });
  EXPECT_EQ(s.termination, Termination::stopped);
  EXPECT_LE(s.primal, true_value(oracle, f, start));
  EXPECT_NEAR(s.primal, true_value(oracle, f, s.weights), 1e-12 * s.primal);

  Cccp short_run = around("frank_wolfe");
  short_run.settings.max_rounds = 1;
  EXPECT_EQ(short_run.minimize(objective, {start, nullptr}, {}).termination, Termination::iteration_limit);
}

// Planes that are shifted to another linearisation bound it from below, and save inference: of some linearisations, since
// rounding may cost a round of one.
TEST(Cccp, GoesOnFromShiftedPlanes) {
  const HiddenClasses oracle(24, 2, 0.25, 3);
  SerialExecutor executor;
  for (const char* inner : {"frank_wolfe", "n_slack", "one_slack", "bundle"}) {
    std::size_t warm_calls = 0, cold_calls = 0;
    for (const unsigned seed : {7, 8, 9}) {
      Objective objective(oracle, Formulation::named("mssvm"), kC, executor);
      const auto solver = make_solver(inner);
      set_option(*solver, "gap", kGap);
      objective.linearize(random_weights(oracle, 0.3, seed));
      Summary first = solver->minimize(objective, {}, {});
      ASSERT_NE(first.planes, nullptr) << inner;
      shift_planes(objective, objective.linearize(first.weights).changes, *first.planes);
      const Summary warm = solver->minimize(objective, {first.weights, std::move(first.planes)}, {});
      const Summary cold = solver->minimize(objective, {}, {});
      EXPECT_LE(warm.relative_gap(), kGap) << inner;
      EXPECT_LE(warm.dual, cold.primal) << inner;
      EXPECT_LE(cold.dual, warm.primal) << inner;
      warm_calls += warm.oracle_calls;
      cold_calls += cold.oracle_calls;
    }
    EXPECT_LT(warm_calls, cold_calls) << inner;
  }
}

TEST(ConvexSolvers, AskForCccpWhereLabelsAreIncomplete) {
  const HiddenClasses oracle(10, 2, 0, 3);
  SerialExecutor executor;
  Objective objective(oracle, Formulation::named("hcrf"), kC, executor);
  for (const SolverKind& kind : solver_kinds()) {
    if (kind.convex_only) {
      EXPECT_THROW(kind.make()->minimize(objective, {}, {}), InputError) << kind.name;
    }
  }
  EXPECT_THROW(Objective(oracle, Formulation::named("ssvm", Rescaling::slack), kC, executor), InputError);
}

// What a solver linearised for itself is no convex problem for the next one, however it ended.
TEST(ConvexSolvers, AskForCccpAfterIt) {
  const HiddenClasses oracle(24, 2, 0.25, 3);
  SerialExecutor executor;
  const Formulation f = Formulation::named("hcrf");
  const Vector start = random_weights(oracle, 0.3, 7);
  for (const char* name : {"cccp", "descent", "lbfgs"})
    for (const int rounds : {0, 1, 1000000}) {
      Objective objective(oracle, f, kC, executor);
      const auto solver = make_solver(name);
      if (name == std::string("descent")) set_option(*solver, "max_steps", 20);
      int polls = 0;
      const Summary s =
          solver->minimize(objective, {start, nullptr},
                           {[&](const Progress&) { return true; }, [&] { return ++polls > 30 * rounds; }});
      EXPECT_FALSE(objective.convex()) << name;
      EXPECT_THROW(make_solver("frank_wolfe")->minimize(objective, {s.weights, nullptr}, {}), InputError)
          << name;
      EXPECT_NEAR(objective.value(start), true_value(oracle, f, start), 1e-12 * objective.value(start));
    }
}

TEST(Lbfgs, FollowsAnObjectiveThatIsNotConvex) {
  const HiddenClasses oracle(24, 2, 0.25, 3);
  SerialExecutor executor;
  for (const char* method : {"hcrf", "softmax-margin", "epsilon"}) {
    const Formulation f = Formulation::named(method);
    Objective objective(oracle, f, kC, executor);
    Lbfgs lbfgs;
    lbfgs.settings.gap = 1e-8;
    const Vector start = random_weights(oracle, 0.3, 7);
    const Summary s = lbfgs.descend(objective, {start, nullptr}, {});
    EXPECT_EQ(s.termination, Termination::converged) << s.message;
    EXPECT_EQ(s.dual, -INFINITY);
    EXPECT_NEAR(s.primal, true_value(oracle, f, s.weights), 1e-12 * s.primal);
    // No round of cccp lowers it: the bound's own optimum is no lower than its tangent promises.
    Objective again(oracle, f, kC, executor);
    const Summary round = around("lbfgs").descend(again, {s.weights, nullptr}, {});
    EXPECT_GE(round.primal, s.primal * (1 - kTolerance)) << method;
    const Summary by_cccp = around("lbfgs").descend(again, {start, nullptr}, {});
    EXPECT_LT(s.oracle_calls, by_cccp.oracle_calls) << method;
  }
}

// Temperatures that tend to 0 tend to the hard method; ε at 1 is softmax-margin.
TEST(Formulation, HasItsLimits) {
  const HiddenClasses oracle(24, 3, 0.25, 3);
  const Vector w = random_weights(oracle, 0.5, 9);
  const double hard = true_value(oracle, Formulation::named("lssvm"), w);
  for (double t : {1.0, 0.1, 0.01, 1e-3, 1e-6}) {
    const double soft = true_value(oracle, Formulation::named("epsilon", Rescaling::margin, t), w);
    EXPECT_LE(std::abs(soft - hard), kC * t * std::log(9.0) * (1 + 1e-9)) << t;
    Formulation between = Formulation::named("mssvm");
    between.output_temperature = t;
    EXPECT_LE(std::abs(true_value(oracle, between, w) - true_value(oracle, Formulation::named("mssvm"), w)),
              kC * t * std::log(3.0) * (1 + 1e-9) + 1e-12 * hard)
        << t;
  }
  EXPECT_EQ(true_value(oracle, Formulation::named("epsilon", Rescaling::margin, 1), w),
            true_value(oracle, Formulation::named("softmax-margin"), w));
}

TEST(Descent, TakesTheStepsOfItsFormula) {
  const HiddenClasses oracle(12, 2, 0.25, 3);
  SerialExecutor executor;
  for (const char* method : {"lssvm", "mssvm", "hcrf"})
    for (int inner : {1, 4}) {
      const Formulation f = Formulation::named(method);
      Descent descent;
      descent.settings = {.step = 0.05, .decay = 0.1, .inner_steps = inner, .max_steps = 8};
      Vector w = random_weights(oracle, 0.3, 7), fixed;
      Objective objective(oracle, f, kC, executor);
      const Summary s = descent.minimize(objective, {w, nullptr}, {});

      Plane plane;
      for (int t = 0; t < 8; ++t) {
        if (t % inner == 0) fixed = w;
        Vector gradient = w;
        for (std::size_t i = 0; i < oracle.size(); ++i) {
          const double kappa = kC * oracle.weight(i) / static_cast<double>(oracle.size());
          if (oracle.determined(i)) {
            oracle.support(i, w, f.query(Side::excess), plane);
          } else {
            oracle.support(i, fixed, f.query(Side::clamped), plane);
            plane.slope.add_to(gradient, -kappa);
            oracle.support(i, w, f.query(Side::free), plane);
          }
          plane.slope.add_to(gradient, kappa);
        }
        for (std::size_t j = 0; j < w.size(); ++j) w[j] -= 0.05 / (1 + 0.1 * t) * gradient[j];
      }
      for (std::size_t j = 0; j < w.size(); ++j) EXPECT_NEAR(s.weights[j], w[j], 1e-12);
      EXPECT_NEAR(s.primal, true_value(oracle, f, w), 1e-12 * s.primal);
      EXPECT_EQ(s.history.size(), static_cast<std::size_t>(8 / inner + 1));
    }
}

}  // namespace
}  // namespace hinge
