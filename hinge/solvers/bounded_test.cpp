// Weights that must not be negative, by every solver and in every certificate.
#include <gtest/gtest.h>

#include "hinge/core/errors.h"
#include "hinge/oracle/forwarding_oracle.h"
#include "hinge/solvers/plane_model.h"
#include "hinge/solvers/solver.h"
#include "tests/support/classes_oracle.h"

namespace hinge {
namespace {

// Every second weight is bounded.
class Bounded final : public ForwardingOracle {
 public:
  using ForwardingOracle::ForwardingOracle;
  std::vector<Index> nonnegative() const override {
    std::vector<Index> indices;
    for (Index j = 0; j < dimension(); j += 2) indices.push_back(j);
    return indices;
  }
};

Summary solve(const std::string& name, Objective& objective, double gap, int max_passes, Vector start = {}) {
  const auto solver = make_solver(name);
  for (const OptionRef& option : solver->options()) {
    if (option.name == "gap") *std::get<double*>(option.field) = gap;
    if (option.name != "max_passes") continue;
    if (auto* whole = std::get_if<int*>(&option.field))
      **whole = max_passes;
    else
      *std::get<double*>(option.field) = max_passes;
  }
  return solver->minimize(objective, {.weights = std::move(start)}, {});
}

struct Case {
  std::string solver, method;
  double gap;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.solver << " " << c.method; }

class BoundedWeights : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(All, BoundedWeights,
                         testing::Values(Case{"frank_wolfe", "ssvm", 1e-6}, Case{"n_slack", "ssvm", 1e-6},
                                         Case{"one_slack", "ssvm", 1e-6}, Case{"bundle", "ssvm", 1e-6},
                                         Case{"subgradient", "ssvm", 1e-2}, Case{"stochastic", "ssvm", 1e-2},
                                         Case{"frank_wolfe", "crf", 1e-6}, Case{"bundle", "crf", 1e-6},
                                         Case{"subgradient", "crf", 1e-3}, Case{"stochastic", "crf", 1e-2},
                                         Case{"lbfgs", "crf", 1e-6}));

// Every solver's lower bound is below every other one's objective, all converge, and some bounds are felt.
TEST_P(BoundedWeights, HaveOneOptimum) {
  const auto& [name, method, gap] = GetParam();
  for (const std::uint64_t seed : {1, 2, 3})
    for (const double C : {0.3, 10.0}) {
      const auto classes = ClassesOracle::random(40, 4, 3, seed);
      const Bounded oracle(classes);
      SerialExecutor executor;
      Objective objective(oracle, Formulation::named(method), C, executor);
      const Summary best = solve(method == "ssvm" ? "n_slack" : "lbfgs", objective, 1e-8, 20000);
      const Summary free = [&] {
        Objective unbounded(classes, Formulation::named(method), C, executor);
        return solve(method == "ssvm" ? "n_slack" : "lbfgs", unbounded, 1e-6, 20000);
      }();
      Vector start(oracle.dimension());
      if (seed == 2)  // from weights that are not allowed
        for (std::size_t j = 0; j < start.size(); ++j) start[j] = j % 3 == 0 ? -1 : 0.5;
      const Summary own = solve(name, objective, gap, 20000, seed == 2 ? start : Vector());
      EXPECT_EQ(own.termination, Termination::converged) << own.message;
      EXPECT_NEAR(own.primal, objective.value(own.weights), 1e-9 * own.primal);
      EXPECT_LE(own.gap(), gap * own.primal);
      EXPECT_LE(own.dual, best.primal * (1 + 1e-12));
      EXPECT_LE(best.dual, own.primal * (1 + 1e-12));
      EXPECT_GT(best.dual, free.primal);
      for (Index j = 0; j < oracle.dimension(); j += 2) EXPECT_GE(own.weights[j], 0);
    }
}

// One example x = 1 of two classes: w = (a, b) wants a = −b. With both bounded, b = 0 and the minimum of
// 1/2 a² + C max(0, 1 − a) is at a = min(C, 1).
TEST(BoundedWeights, SolveTheSvmOfOneExample) {
  struct Both final : ForwardingOracle {
    using ForwardingOracle::ForwardingOracle;
    std::vector<Index> nonnegative() const override { return {0, 1}; }
  };
  const ClassesOracle classes(1, 2, {{{1.0}, {0}}});
  const Both oracle(classes);
  SerialExecutor executor;
  for (const auto& [C, optimum] : {std::pair{0.3, 0.255}, std::pair{2.0, 0.5}})
    for (const char* name : {"frank_wolfe", "n_slack", "one_slack", "bundle", "subgradient", "stochastic"}) {
      Objective objective(oracle, Formulation::named("ssvm"), C, executor);
      const Summary summary = solve(name, objective, 1e-3, 100000);
      EXPECT_EQ(summary.termination, Termination::converged) << name;
      EXPECT_LE(summary.dual, optimum + 1e-12) << name;
      EXPECT_GE(summary.primal, optimum - 1e-12) << name;
      EXPECT_NEAR(summary.weights[0], std::min(C, 1.0), 0.05) << name;
      EXPECT_NEAR(summary.weights[1], 0, 0.05) << name;
    }
}

// An L1 term and bounds together.
TEST(BoundedWeights, GoWithAnL1Term) {
  const auto classes = ClassesOracle::random(40, 4, 3, 7);
  const Bounded oracle(classes);
  SerialExecutor executor;
  Objective objective(oracle, Formulation::named("crf"), 10, executor, Regulariser{{}, {}, 0.3});
  const Summary own = solve("lbfgs", objective, 1e-6, 5000);
  EXPECT_EQ(own.termination, Termination::converged) << own.message;
  for (Index j = 0; j < oracle.dimension(); j += 2) EXPECT_GE(own.weights[j], 0);
  // No move of one weight is better.
  for (std::size_t j = 0; j < own.weights.size(); ++j)
    for (const double by : {-1e-2, 1e-2}) {
      Vector w = own.weights;
      w[j] += by;
      if (j % 2 == 0 && w[j] < 0) continue;
      EXPECT_GE(objective.value(w), own.dual);
    }
}

TEST(BoundedWeights, AreRefusedWhereTheyAreNotKept) {
  const auto classes = ClassesOracle::random(10, 2, 2, 1);
  const Bounded oracle(classes);
  SerialExecutor executor;
  Objective objective(oracle, Formulation::named("crf"), 1, executor);
  EXPECT_THROW(solve("soft_dual", objective, 1e-3, 10), InputError);
  Objective around(oracle, Formulation::named("crf"), 1, executor, Regulariser{{}, Vector(4, -1.0)});
  EXPECT_THROW(solve("stochastic", around, 1e-3, 10), InputError);
}

// The dual is what its parts say: Ω(w) + Σ κ α plane(w) − <μ, w>, with one of w_j and μ_j being 0.
TEST(BoundedWeights, MultipliersBelongToTheModel) {
  Random random(4);
  Regulariser regulariser{{1, 2, 0.5, 1}, {0.3, -0.2, 0, 0}};
  regulariser.nonnegative = {true, true, false, true};
  PlaneModel model(4, {2.0, 1.0}, regulariser);
  double before = model.dual();
  EXPECT_NEAR(before, 0.5 * 2 * 0.04, 1e-12);  // w = (0.3, 0, 0, 0)
  for (int round = 0; round < 40; ++round) {
    Plane plane;
    for (Index j = 0; j < 4; ++j) plane.slope.add(j, random.normal());
    plane.offset = random.normal();
    const std::size_t block = random.below(2);
    model.add(block, plane);
    model.optimize_block(block);
    EXPECT_GE(model.dual(), before - 1e-12);
    before = model.dual();
    for (std::size_t j : {0, 1, 3}) {
      EXPECT_GE(model.weights()[j], 0);
      EXPECT_GE(model.multiplier(j), 0);
      EXPECT_EQ(model.weights()[j] * model.multiplier(j), 0);
    }
  }
  model.optimize(1e-10);
  const double dual = model.dual();
  model.rebuild();
  EXPECT_NEAR(model.dual(), dual, 1e-10);
  // The model at w, whose minimum D is.
  const double value = regulariser.value(model.weights()) + 2 * model.value(0).best + model.value(1).best;
  EXPECT_NEAR(value, model.dual(), 1e-9);
}

}  // namespace
}  // namespace hinge
