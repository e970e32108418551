// Answers that another program found by enumeration and a quadratic solver, for transduction (eq. 13 and 22 of Yu
// 2012): terms and maxima at given points, both lemmas, cutting planes, gradients, soft versions, the exact
// optimum of one convex round, and whole runs of CCCP.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hinge/learning/objective.h"
#include "hinge/oracle/check_oracle.h"
#include "hinge/solvers/cccp.h"
#include "hinge/solvers/solver.h"
#include "tests/support/set_option.h"
#include "tests/support/transduction_problem.h"

namespace hinge {
namespace {

constexpr double kGradient = 1e-9;
double tolerance(double value) { return 1e-9 + 1e-12 * std::abs(value); }

void expect_value(double seen, const nlohmann::json& expected) {
  EXPECT_NEAR(seen, expected.get<double>(), tolerance(expected.get<double>())) << expected;
}

template <class F>
void for_each_transduction(F&& f) {
  const auto index = vector_file("tasks/INDEX");
  if (!index) GTEST_SKIP() << "skipped: no vectors";
  std::size_t found = 0;
  for (const std::string name : *index) {
    if (!name.starts_with("transduction")) continue;
    SCOPED_TRACE(name);
    ++found;
    TransductionProblem problem(*vector_file("tasks/" + name + ".json"));
    f(problem);
  }
  EXPECT_GE(found, 12u);
}

void expect_vector(Weights seen, Weights expected, double tolerance, const char* what) {
  ASSERT_EQ(seen.size(), expected.size()) << what;
  for (std::size_t k = 0; k < seen.size(); ++k)
    EXPECT_NEAR(seen[k], expected[k], tolerance) << what << " " << k;
}

// The winner of gains at w, with its φ in the order of the file.
struct Winner {
  double value;
  Path path;
  Vector phi;
};
Winner winner(const TransductionProblem& problem, std::size_t j, Weights all, double sign) {
  GuidedScores scores;
  problem.task.score({&problem.unlabelled_rows[j], &problem.unlabelled.features(j)},
                     all.first(problem.task.dimension()), scores);
  for (std::size_t k = 0; k < scores.gains().size(); ++k)
    scores.gains()[k] =
        sign * problem.mu * (0.25 - 0.5 * all[problem.task.dimension() + problem.oracle.first()[j] + k]);
  GuidedChain engine;
  GuidedCounts counts;
  const double value = engine.solve(scores, 0, 0, counts);
  Vector phi;
  for (const std::size_t place : problem.place[j]) phi.push_back(counts.phi()[place]);
  return {value, counts.structure(), phi};
}

void expect_winner(const Winner& found, const nlohmann::json& expected) {
  expect_value(found.value, expected.at("value"));
  if (expected.at("n_argmax") != 1) return;
  EXPECT_EQ(found.path, expected.at("y").get<Path>());
  EXPECT_EQ(found.phi, expected.at("phi").get<Vector>());
}

// A maximum that is not unique has several predictions, whose Γ differ.
bool unique(const nlohmann::json& maxima) {
  return std::ranges::all_of(maxima, [](const auto& m) { return m.at("n_argmax") == 1; });
}

void expect_terms(const TransductionOracle::Terms& seen, const nlohmann::json& expected) {
  expect_value(seen.regulariser, expected.at("regulariser"));
  expect_value(seen.labelled, expected.at("labelled"));
  expect_value(seen.gamma, expected.at("gamma"));
  expect_value(seen.v_norm, expected.at("v_norm"));
  expect_value(seen.eq14, expected.at("eq14"));
  expect_value(seen.eq15, expected.at("eq15"));
}

void expect_bound(const TransductionOracle::Bound& seen, const nlohmann::json& expected,
                  bool one_prediction) {
  expect_value(seen.A, expected.at("A"));
  expect_value(seen.B, expected.at("B"));
  expect_value(seen.L, expected.at("L"));
  EXPECT_NEAR(seen.bound, expected.at("bound"), 1e-7);  // a root of A, which may be 0
  if (one_prediction) expect_value(seen.gamma_of_predictions, expected.at("gamma_of_predictions"));
  EXPECT_LE(seen.gamma_of_predictions, seen.bound + 1e-9);
}

void expect_lemma1(const TransductionProblem& problem, Weights all, const nlohmann::json& point) {
  const std::span<const Index> first = problem.oracle.first();
  for (std::size_t j = 0; j < problem.m(); ++j) {
    const Weights v = all.subspan(problem.task.dimension() + first[j], first[j + 1] - first[j]);
    const auto& expected = point.at("lemma1")[j];
    const double bound = 0.5 * problem.mu * squared_norm(v) + winner(problem, j, all, 1).value -
                         winner(problem, j, all, -1).value;
    expect_value(bound, expected.at("bound"));
    expect_value(winner(problem, j, all, -1).value - 0.25 * problem.mu * squared_norm(v),
                 point.at("guided_value_eq12")[j]);
    const auto distance = [&](const Winner& w) {
      double sum = 0;
      for (std::size_t k = 0; k < w.phi.size(); ++k)
        sum += (w.phi[k] - v[problem.place[j][k]]) * (w.phi[k] - v[problem.place[j][k]]);
      return sum;
    };
    if (point.at("prediction")[j].at("n_argmax") == 1) {
      const double d = 0.25 * problem.mu * distance(winner(problem, j, all, 0));
      expect_value(d, expected.at("prediction_distance"));
      EXPECT_LE(d, bound + 1e-9);
    }
    if (point.at("max_eq15")[j].at("n_argmax") == 1)
      expect_value(0.5 * problem.mu * distance(winner(problem, j, all, -1)), expected.at("guided_distance"));
  }
}

// Σ_i share_i · plane_i over some examples, as (constant, slope).
DensePlane mean_plane(const TransductionProblem& problem, std::size_t from, std::size_t to, Weights all,
                      Side side, double share) {
  DensePlane mean{0, Vector(problem.oracle.dimension())};
  Plane plane;
  for (std::size_t i = from; i < to; ++i) {
    problem.oracle.support(i, all, {side, 1, 0, 0}, plane);
    mean.offset += share * plane.offset;
    plane.slope.add_to(mean.slope, share);
  }
  return mean;
}

// Eqs. 26 to 28 and 21.
void expect_cut(const TransductionProblem& problem, Weights all, const nlohmann::json& cut) {
  const std::size_t n = problem.n(), m = problem.m(), D = problem.task.dimension();
  const auto head = [&](const Vector& slope) { return Weights(slope).first(D); };
  const auto tail = [&](const Vector& slope) { return Weights(slope).subspan(D); };
  if (n > 0) {
    const DensePlane labelled = mean_plane(problem, 0, n, all, Side::excess, 1 / static_cast<double>(n));
    expect_value(labelled.offset, cut.at("c"));
    Vector g = cut.at("g").get<Vector>();
    for (double& v : g) v = -v;
    expect_vector(head(labelled.slope), g, kGradient, "g");
  }
  const DensePlane free = mean_plane(problem, n, n + m, all, Side::free, 1 / static_cast<double>(m));
  expect_value(free.offset, cut.at("d"));
  Vector h = cut.at("h").get<Vector>(), h_j = problem.stacked(cut.at("h_j"));
  for (double& v : h) v = -v;
  for (double& v : h_j) v = -v / static_cast<double>(m);
  expect_vector(head(free.slope), h, kGradient, "h");
  expect_vector(tail(free.slope), h_j, kGradient, "h_j");
  const DensePlane gamma = mean_plane(problem, n + m, problem.oracle.size(), all, Side::excess, 1);
  expect_value(gamma.offset, cut.at("e"));
  expect_vector(tail(gamma.slope), problem.stacked(cut.at("f_j")), kGradient, "f_j");
  const DensePlane clamped = mean_plane(problem, n, n + m, all, Side::clamped, 1 / static_cast<double>(m));
  expect_vector(head(clamped.slope), cut.at("q").get<Vector>(), kGradient, "q");
  Vector p_j = problem.stacked(cut.at("p_j"));
  for (double& v : p_j) v *= 0.5 * problem.mu / static_cast<double>(m);
  expect_vector(tail(clamped.slope), p_j, kGradient, "p_j");
}

// Gradient of the objective at (w, v).
Vector gradient(const TransductionProblem& problem, Weights all, double temperature) {
  SerialExecutor executor;
  Objective objective(problem.oracle, {"transductive", 1, temperature, temperature}, 1, executor,
                      problem.oracle.regulariser());
  Vector sum(problem.oracle.dimension());
  objective.sum_of_excesses(all, sum);
  objective.regulariser().add_gradient(all, sum);
  return sum;
}

double objective_value(const TransductionProblem& problem, Weights all, double temperature) {
  SerialExecutor executor;
  return Objective(problem.oracle, {"transductive", 1, temperature, temperature}, 1, executor,
                   problem.oracle.regulariser())
      .value(all);
}

TEST(vectors_of_transduction, TermsMaximaLemmasCutsAndGradients) {
  for_each_transduction([](const TransductionProblem& problem) {
    SerialExecutor executor;
    for (const auto& point : problem.file.at("points")) {
      SCOPED_TRACE(point.at("special").dump());
      const Vector all = problem.point(point);
      for (std::size_t i = 0; i < problem.n(); ++i) {
        Plane plane;
        problem.oracle.support(i, all, {Side::excess, 1, 0, 0}, plane);
        expect_value(plane.at(all), point.at("labelled_max")[i].at("value"));
      }
      for (std::size_t j = 0; j < problem.m(); ++j) {
        expect_winner(winner(problem, j, all, 1), point.at("max_eq14")[j]);
        expect_winner(winner(problem, j, all, -1), point.at("max_eq15")[j]);
        expect_winner(winner(problem, j, all, 0), point.at("prediction")[j]);
      }
      expect_terms(problem.oracle.terms(all, 0, executor), point.at("terms"));
      expect_value(problem.oracle.terms(all, 0, executor).sum(), point.at("objective"));
      expect_value(objective_value(problem, all, 0), point.at("objective"));
      expect_value(problem.oracle.gamma().value(problem.oracle.v(all)), point.at("gamma_value"));
      const DensePlane gamma =
          mean_plane(problem, problem.n() + problem.m(), problem.oracle.size(), all, Side::excess, 1);
      const Weights subgradient = Weights(gamma.slope).subspan(problem.task.dimension());
      if (point.at("gamma_subgradient_unique") == true)
        expect_vector(subgradient, problem.stacked(point.at("gamma_subgradient")), kGradient, "subgradient");
      for (const auto& other : problem.file.at("points"))
        EXPECT_LE(gamma.at(problem.point(other)), other.at("gamma_value").get<double>() + 1e-9);
      expect_lemma1(problem, all, point);
      expect_bound(problem.oracle.bound(all, executor), point.at("lemma2"), unique(point.at("prediction")));
      if (!point.at("cut").is_null()) expect_cut(problem, all, point.at("cut"));
      if (point.at("differentiable") == true)
        expect_vector(gradient(problem, all, 0), problem.point(point.at("grad_w"), point.at("grad_v")),
                      kGradient, "gradient");
    }
  });
}

TEST(vectors_of_transduction, SoftVersions) {
  for_each_transduction([](const TransductionProblem& problem) {
    SerialExecutor executor;
    for (const auto& point : problem.file.at("points"))
      for (const auto& soft : point.at("soft")) {
        const double temperature = soft.at("tau");
        const Vector all = problem.point(point);
        const auto value = [&](std::size_t i, Side side) {
          Plane plane;
          problem.oracle.support(i, all, {side, 1, temperature, temperature}, plane);
          return plane.at(all);
        };
        for (std::size_t i = 0; i < problem.n(); ++i)
          expect_value(value(i, Side::excess), soft.at("labelled")[i]);
        for (std::size_t j = 0; j < problem.m(); ++j) {
          expect_value(value(problem.n() + j, Side::free), soft.at("eq14")[j]);
          expect_value(value(problem.n() + j, Side::clamped), soft.at("eq15")[j]);
        }
        expect_value(objective_value(problem, all, temperature), soft.at("objective"));
        expect_value(problem.oracle.terms(all, temperature, executor).sum(), soft.at("objective"));
        Vector seen = gradient(problem, all, temperature);
        const std::size_t D = problem.task.dimension();
        expect_vector(Weights(seen).first(D), soft.at("grad_w").get<Vector>(), kGradient, "grad_w");
        if (!soft.at("grad_v").is_null())
          expect_vector(Weights(seen).subspan(D), problem.stacked(soft.at("grad_v")), kGradient, "grad_v");
        const DensePlane gamma =
            mean_plane(problem, problem.n() + problem.m(), problem.oracle.size(), all, Side::excess, 1);
        for (std::size_t k = D; k < seen.size(); ++k) seen[k] -= problem.C2 * gamma.slope[k];
        expect_vector(Weights(seen).subspan(D), problem.stacked(soft.at("grad_v_without_gamma")), kGradient,
                      "grad_v_without_gamma");
      }
  });
}

std::unique_ptr<Solver> exact_solver(const std::string& name) {
  auto solver = make_solver(name);
  set_option(*solver, "gap", 1e-11);
  set_option(*solver, "max_passes", 1e5);
  return solver;
}

struct Optimum {
  Vector w;
  double value, dual;
};
// Minimises the bound that touches at `start`.
Optimum solve_round(const TransductionProblem& problem, Objective& objective, const Vector& start,
                    const std::string& solver) {
  objective.linearize(start);
  EXPECT_NEAR(objective.value(start), problem.oracle.terms(start, 0, objective.executor()).sum(), 1e-9);
  Summary found = exact_solver(solver)->descend(objective, {start}, {});
  EXPECT_LE(found.dual, found.primal + 1e-9);
  return {found.weights, found.primal, found.dual};
}

void expect_near(const TransductionProblem& problem, Weights seen, Weights expected, double gap) {
  const std::size_t D = problem.task.dimension();
  const auto distance = [&](std::size_t from, std::size_t to) {
    double sum = 0;
    for (std::size_t k = from; k < to; ++k) sum += (seen[k] - expected[k]) * (seen[k] - expected[k]);
    return std::sqrt(sum);
  };
  const double m = static_cast<double>(problem.m());
  EXPECT_LE(distance(0, D), std::sqrt(2 * gap) + 1e-6);
  EXPECT_LE(distance(D, seen.size()), std::sqrt(2 * gap * m / (problem.C2 * problem.mu)) + 1e-6);
}

class vectors_of_transduction_by : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Solvers, vectors_of_transduction_by,
                         testing::Values("frank_wolfe", "n_slack", "bundle", "one_slack"),
                         [](const auto& one) { return std::string(one.param); });

TEST_P(vectors_of_transduction_by, OneConvexRound) {
  for_each_transduction([](const TransductionProblem& problem) {
    SerialExecutor executor;
    Objective objective(problem.oracle, {"transductive", 1, 0, 0}, 1, executor, problem.oracle.regulariser());
    const auto& round = problem.file.at("round");
    const Vector start = problem.point(problem.file.at("points")[round.at("at_point").get<std::size_t>()]);
    const auto [w, value, dual] = solve_round(problem, objective, start, GetParam());
    expect_value(objective.value(start), round.at("value_at_start"));
    const double best = round.at("value"), gap = std::max(0.0, value - dual);
    EXPECT_LE(gap, 1e-7 * (1 + best));
    EXPECT_GE(value, best - 1e-9);
    EXPECT_LE(value, best + gap + 1e-9);
    EXPECT_LE(dual, best + 1e-9);
    expect_near(problem, w, problem.point(round), gap);
    const auto terms = problem.oracle.terms(w, 0, executor);
    const double near = 1e-5 + 10 * std::sqrt(gap);
    EXPECT_NEAR(terms.sum(), round.at("objective_eq13"), near);
    if (problem.n() > 0) {
      EXPECT_NEAR(terms.labelled / problem.C1, round.at("xi1"), near);
    }
    EXPECT_NEAR(terms.eq14 / problem.C2, round.at("xi2"), near);
    EXPECT_NEAR(terms.gamma / problem.C2, round.at("xi3"), near);
  });
}

TEST_P(vectors_of_transduction_by, WholeRuns) {
  for_each_transduction([](const TransductionProblem& problem) {
    SerialExecutor executor;
    Objective objective(problem.oracle, {"transductive", 1, 0, 0}, 1, executor, problem.oracle.regulariser());
    const auto& run = problem.file.at("cccp");
    Vector w = problem.point(run.at("w0"), run.at("v0"));
    expect_value(objective_value(problem, w, 0), run.at("objective_start"));
    double before = run.at("objective_start");
    for (const auto& round : run.at("rounds")) {
      for (std::size_t j = 0; j < problem.m(); ++j)
        EXPECT_EQ(winner(problem, j, w, -1).path, round.at("ybar")[j].get<Path>());
      const Optimum found = solve_round(problem, objective, w, GetParam());
      const double gap = std::max(0.0, found.value - found.dual);
      EXPECT_NEAR(found.value, round.at("value_eq22"), 1e-7 + gap);
      w = found.w;
      expect_near(problem, w, problem.point(round), gap);
      const double value = problem.oracle.terms(w, 0, executor).sum();
      EXPECT_NEAR(value, round.at("objective_eq13"), 1e-5 + 10 * std::sqrt(gap));
      EXPECT_LE(value, found.value + 1e-9);
      EXPECT_LE(found.value, before + 1e-9);
      before = value;
    }
    for (std::size_t j = 0; j < problem.m(); ++j)
      EXPECT_EQ(winner(problem, j, w, -1).path, run.at("final_ybar")[j].get<Path>());
    const auto terms = problem.oracle.terms(w, 0, executor);
    EXPECT_NEAR(terms.sum(), before, 1e-9);
    EXPECT_NEAR(problem.oracle.bound(w, executor).bound, run.at("final").at("lemma2").at("bound"), 1e-3);
  });
}

// cccp solves its first rounds loosely and may end elsewhere; it never rises, and where it ends another round
// changes nothing.
TEST(vectors_of_transduction, CccpNeverRises) {
  for_each_transduction([](const TransductionProblem& problem) {
    SerialExecutor executor;
    Objective objective(problem.oracle, {"transductive", 1, 0, 0}, 1, executor, problem.oracle.regulariser());
    const auto& run = problem.file.at("cccp");
    const Vector start = problem.point(run.at("w0"), run.at("v0"));
    Cccp cccp(exact_solver("frank_wolfe"));
    cccp.settings.decrease = 1e-9;
    double last = run.at("objective_start");
    const Summary summary = cccp.descend(objective, {start}, [&](const Progress& progress) {
      const double now = problem.oracle.terms(progress.weights, 0, executor).sum();
      EXPECT_LE(now, last + 1e-9);
      last = now;
      return true;
    });
    EXPECT_EQ(summary.termination, Termination::converged) << summary.message;
    EXPECT_NEAR(summary.primal, problem.oracle.terms(summary.weights, 0, executor).sum(), 1e-8);
    EXPECT_LT(summary.primal, run.at("objective_start").get<double>());
    const Optimum again = solve_round(problem, objective, summary.weights, "frank_wolfe");
    EXPECT_NEAR(again.value, summary.primal, 1e-6 * (1 + summary.primal));
  });
}

TEST(vectors_of_transduction, TheOracleIsInOrder) {
  for_each_transduction([](const TransductionProblem& problem) {
    CheckOptions options;
    options.examples = 100;
    options.repeats = 1;
    const CheckReport report = check_oracle(problem.oracle, options);
    EXPECT_TRUE(report.passed()) << report.text();
    EXPECT_GT(report.comparisons, 100u);
  });
}

}  // namespace
}  // namespace hinge
