// What subgradient, stochastic and lbfgs have in common.
#include <gtest/gtest.h>

#include <cmath>

#include "hinge/oracle/forwarding_oracle.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/solvers/lbfgs.h"
#include "hinge/solvers/stochastic.h"
#include "hinge/solvers/subgradient.h"
#include "tests/support/classes_oracle.h"

namespace hinge {
namespace {

const Formulation kSvm = Formulation::named("ssvm"), kCrf = Formulation::named("crf");

Summary solve(const std::string& name, Objective& objective, double gap, int max_passes, Vector start = {},
              const Observer& observer = {}) {
  const auto solver = make_solver(name);
  for (const OptionRef& option : solver->options()) {
    if (option.name == "gap") *std::get<double*>(option.field) = gap;
    if (option.name == "max_passes") *std::get<int*>(option.field) = max_passes;
  }
  return solver->minimize(objective, {.weights = std::move(start)}, observer);
}

struct Case {
  std::string solver, method;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.solver << " " << c.method; }

class FirstOrder : public testing::TestWithParam<Case> {
 protected:
  Formulation method() const { return Formulation::named(GetParam().method); }
};

INSTANTIATE_TEST_SUITE_P(All, FirstOrder,
                         testing::Values(Case{"subgradient", "ssvm"}, Case{"subgradient", "crf"},
                                         Case{"stochastic", "ssvm"}, Case{"stochastic", "crf"},
                                         Case{"lbfgs", "crf"}, Case{"lbfgs", "softmax-margin"}));

// One example x = 1 of two classes: a² + C max(0, 1 − 2a) at w = (a, −a) has its minimum at a = min(C, 1/2).
TEST(Subgradient, SolvesTheSvmOfOneExample) {
  const ClassesOracle oracle(1, 2, {{{1.0}, {0}}});
  SerialExecutor executor;
  for (const auto& [C, optimum] : {std::pair{0.3, 0.21}, std::pair{2.0, 0.25}})
    for (const char* name : {"subgradient", "stochastic"}) {
      Objective objective(oracle, kSvm, C, executor);
      const Summary summary = solve(name, objective, 1e-3, 100000);
      EXPECT_EQ(summary.termination, Termination::converged) << name;
      EXPECT_LE(summary.dual, optimum + 1e-12);
      EXPECT_GE(summary.primal, optimum - 1e-12);
      EXPECT_LE(summary.gap(), 1e-3 * summary.primal);
    }
}

// A step's subgradient is C times a difference of two feature vectors, at most √2 |x|, plus w, which is a
// mean of such: |G| ≤ B = 2 C √2 max |x|. After T steps with weights t, the mean iterate is within 2 B² / (T
// + 1).
TEST_P(FirstOrder, KeepsItsPromiseOnTheRate) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto oracle = ClassesOracle::random(50, 4, 3, seed);
    SerialExecutor executor;
    Objective objective(oracle, method(), 2, executor);
    const int passes = 400;
    const Summary summary = solve(GetParam().solver, objective, 0, passes);
    const double B = 2 * 2 * std::sqrt(2) * oracle.largest_norm();
    const double promise = 2 * B * B / (passes + 1);
    EXPECT_LE(summary.dual, summary.primal * (1 + 1e-12));
    EXPECT_NEAR(summary.primal, objective.value(summary.weights), 1e-12 * summary.primal);

    const Summary other = solve("subgradient", objective, 1e-3, 20000);
    ASSERT_EQ(other.termination, Termination::converged);
    EXPECT_LE(other.dual, summary.primal);
    EXPECT_LE(summary.dual, other.primal);
    EXPECT_LE(summary.primal, other.primal + promise);
  }
}

TEST(FirstOrder, AgreesWithTheCertifiedOptimum) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto oracle = ClassesOracle::random(80, 5, 4, seed);
    SerialExecutor executor;
    Objective objective(oracle, kCrf, 1, executor);
    const Summary best = solve("lbfgs", objective, 1e-10, 1000);
    for (const char* name : {"subgradient", "stochastic"}) {
      const Summary summary = solve(name, objective, 1e-3, 20000);
      EXPECT_EQ(summary.termination, Termination::converged) << name;
      EXPECT_GE(summary.primal, best.dual) << name;
      EXPECT_LE(summary.dual, best.primal) << name;
      EXPECT_LE(summary.primal, best.primal + summary.gap()) << name;
    }
  }
}

TEST_P(FirstOrder, StopsWhenTheObserverSaysSo) {
  const auto oracle = ClassesOracle::random(30, 3, 3, 1);
  SerialExecutor executor;
  Objective objective(oracle, method(), 5, executor);
  double least = INFINITY;
  const Summary summary = solve(GetParam().solver, objective, 0, 1000, {}, [&](const Progress& progress) {
    least = std::min(least, progress.primal);
    return progress.iteration < 4;
  });
  EXPECT_EQ(summary.termination, Termination::stopped);
  EXPECT_EQ(summary.iterations, 4u);
  EXPECT_EQ(summary.history.size(), 4u);
  EXPECT_LE(summary.primal, least);
  EXPECT_NEAR(summary.primal, objective.value(summary.weights), 1e-12 * summary.primal);
}

TEST_P(FirstOrder, StopsAfterMaxPasses) {
  const auto oracle = ClassesOracle::random(30, 3, 3, 1);
  SerialExecutor executor;
  Objective objective(oracle, method(), 5, executor);
  const Summary summary = solve(GetParam().solver, objective, 0, 3);
  EXPECT_EQ(summary.termination, Termination::iteration_limit);
  EXPECT_LE(summary.oracle_calls, 4u * 30u);
  EXPECT_FALSE(summary.message.empty());
}

TEST_P(FirstOrder, NeverEndsWorseThanItStarted) {
  const auto oracle = ClassesOracle::random(40, 4, 3, 2);
  SerialExecutor executor;
  Objective objective(oracle, method(), 5, executor);
  const Summary first = solve(GetParam().solver, objective, 1e-2, 100000);
  const Summary second = solve(GetParam().solver, objective, 0, 10, first.weights);
  EXPECT_LE(second.primal, first.primal);
  EXPECT_LE(second.dual, first.primal);
  EXPECT_LE(first.dual, second.primal);
}

TEST_P(FirstOrder, CountsAnExampleOfWeightTwoTwice) {
  auto weighted = ClassesOracle::random(30, 3, 3, 3), doubled = weighted;
  for (std::size_t i = 0; i < 10; ++i) {
    weighted.items()[i].weight = 2;
    doubled.items().push_back(doubled.items()[i]);
  }
  SerialExecutor executor;
  Objective a(weighted, method(), 3, executor);
  Objective b(doubled, method(), 3.0 * 40 / 30, executor);  // C/n is the same
  const Summary one = solve(GetParam().solver, a, 2e-3, 50000),
                two = solve(GetParam().solver, b, 2e-3, 50000);
  EXPECT_EQ(one.termination, Termination::converged);
  EXPECT_NEAR(a.value(one.weights), b.value(one.weights), 1e-12 * one.primal);
  EXPECT_LE(one.dual, two.primal);
  EXPECT_LE(two.dual, one.primal);
}

// With w = R^(−1/2) u, the problem in u has Ω(u) = 1/2 |u|² and features R^(−1/2) φ.
TEST_P(FirstOrder, TakesCurvatureAsAChangeOfVariables) {
  const std::vector<double> curvature = {4, 0.25, 1};
  auto plain = ClassesOracle::random(40, 3, 2, 4), scaled = plain;
  for (auto& item : scaled.items())
    for (std::size_t f = 0; f < 3; ++f) item.x[f] /= std::sqrt(curvature[f]);
  Regulariser regulariser;
  for (int k = 0; k < 2; ++k)
    regulariser.curvature.insert(regulariser.curvature.end(), curvature.begin(), curvature.end());
  SerialExecutor executor;
  Objective a(plain, method(), 3, executor, regulariser), b(scaled, method(), 3, executor);
  const Summary one = solve(GetParam().solver, a, 2e-3, 50000),
                two = solve(GetParam().solver, b, 2e-3, 50000);
  EXPECT_EQ(one.termination, Termination::converged);
  EXPECT_LE(one.dual, two.primal);
  EXPECT_LE(two.dual, one.primal);
  Vector u = one.weights;
  for (std::size_t j = 0; j < u.size(); ++j) u[j] *= std::sqrt(regulariser.curvature[j]);
  EXPECT_NEAR(b.value(u), one.primal, 1e-12 * one.primal);
}

// The problem in u = w − w0. Only for queries of the given method: f(w0 + u) does not scale with u.
class Shifted final : public Oracle {
 public:
  Shifted(const Oracle& inner, Vector by, Formulation method)
      : inner_(inner), by_(std::move(by)), method_(method) {}
  Index dimension() const override { return inner_.dimension(); }
  std::size_t size() const override { return inner_.size(); }
  bool determined(std::size_t i) const override { return inner_.determined(i); }
  std::string refusal(const Query& query) const override {
    return query == method_.query(query.side) ? "" : "one method only.";
  }
  void support(std::size_t i, Weights u, const Query& query, Plane& out) const override {
    Vector w = by_;
    for (std::size_t j = 0; j < w.size(); ++j) w[j] += u[j];
    inner_.support(i, w, query, out);
    out.offset += out.slope.dot(by_);
  }

 private:
  const Oracle& inner_;
  Vector by_;
  Formulation method_;
};

TEST_P(FirstOrder, TakesACentreAsAChangeOfVariables) {
  const auto oracle = ClassesOracle::random(40, 3, 3, 5);
  SerialExecutor executor;
  Regulariser regulariser;
  for (std::size_t j = 0; j < oracle.dimension(); ++j)
    regulariser.centre.push_back(std::sin(static_cast<double>(j)));
  const Shifted shifted(oracle, regulariser.centre, method());
  Objective a(oracle, method(), 2, executor, regulariser), b(shifted, method(), 2, executor);
  const Summary one = solve(GetParam().solver, a, 2e-3, 50000),
                two = solve(GetParam().solver, b, 2e-3, 50000);
  EXPECT_EQ(one.termination, Termination::converged);
  EXPECT_EQ(two.termination, Termination::converged);
  EXPECT_LE(one.dual, two.primal);
  EXPECT_LE(two.dual, one.primal);
  Vector u = one.weights;
  for (std::size_t j = 0; j < u.size(); ++j) u[j] -= regulariser.centre[j];
  EXPECT_NEAR(b.value(u), one.primal, 1e-12 * one.primal);
}

// Weights known beforehand.
class Centred final : public ForwardingOracle {
 public:
  Centred(const Oracle& behind, Vector centre) : ForwardingOracle(behind), centre_(std::move(centre)) {}
  Vector centre() const override { return centre_; }

 private:
  Vector centre_;
};

TEST_P(FirstOrder, StaysNearWhatItsOracleKnows) {
  const auto oracle = ClassesOracle::random(40, 3, 3, 5);
  SerialExecutor executor;
  Regulariser regulariser;
  for (std::size_t j = 0; j < oracle.dimension(); ++j)
    regulariser.centre.push_back(std::cos(static_cast<double>(j)));
  const Centred centred(oracle, regulariser.centre);
  Objective a(oracle, method(), 2, executor, regulariser), b(centred, method(), 2, executor);
  EXPECT_EQ(solve(GetParam().solver, a, 1e-2, 500).weights, solve(GetParam().solver, b, 1e-2, 500).weights);
}

TEST_P(FirstOrder, GivesTheSameBitsForAnyNumberOfThreads) {
  const auto oracle = ClassesOracle::random(150, 4, 3, 6);
  const auto run = [&](std::size_t threads) {
    ThreadExecutor executor(threads);
    Objective objective(oracle, method(), 10, executor);
    return solve(GetParam().solver, objective, 1e-6, 30);
  };
  const Summary one = run(1);
  for (const std::size_t threads : {2, 7}) {
    const Summary other = run(threads);
    EXPECT_EQ(one.weights, other.weights);
    EXPECT_EQ(one.primal, other.primal);
    EXPECT_EQ(one.dual, other.dual);
  }
}

TEST_P(FirstOrder, RefusesWeightsOfAnotherProblem) {
  const auto oracle = ClassesOracle::random(10, 3, 3, 6);
  SerialExecutor executor;
  Objective objective(oracle, method(), 1, executor);
  EXPECT_THROW(solve(GetParam().solver, objective, 1e-3, 10, Vector(5, 0.0)), InputError);
}

TEST_P(FirstOrder, RefusesL1UnlessItServesIt) {
  const auto oracle = ClassesOracle::random(10, 3, 3, 6);
  SerialExecutor executor;
  Objective objective(oracle, method(), 1, executor, {.curvature = {}, .centre = {}, .l1 = 0.1});
  if (GetParam().solver == "lbfgs")
    EXPECT_NO_THROW(solve("lbfgs", objective, 1e-3, 100));
  else
    EXPECT_THROW(solve(GetParam().solver, objective, 1e-3, 10), InputError);
}

}  // namespace
}  // namespace hinge
