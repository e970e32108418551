// Answers that other programs found by enumeration: values, gradients, marginals and winners at five pairs of
// temperatures and for hcrf. (Lower case, so that `ctest -R vector` finds them.)
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "hinge/learning/objective.h"
#include "hinge/oracle/check_task.h"
#include "tests/support/vector_problem.h"

namespace hinge {
namespace {

constexpr int kOpen = GraphScores::kOpen;
constexpr double kGradient = 1e-9, kMarginal = 1e-10;

double tolerance(double value) { return 1e-9 + 1e-12 * std::abs(value); }

class vectors : public testing::TestWithParam<const char*> {
 protected:
  template <class F>
  void for_each_problem(F&& f) {
    const auto index = vector_file("INDEX", GetParam());
    if (!index) GTEST_SKIP() << "skipped: no vectors";
    for (const std::string name : *index) {
      SCOPED_TRACE(name);
      VectorProblem problem(*vector_file(name + ".json", GetParam()));
      f(problem, problem.file.at("expected"));
    }
    EXPECT_EQ(index->size(), GetParam() == std::string("own") ? 8u : 40u);
  }
};
INSTANTIATE_TEST_SUITE_P(Sets, vectors, testing::Values("own", "shared"),
                         [](const auto& one) { return std::string(one.param); });

void expect_marginals(const nlohmann::json& expected, const double* seen, const std::string& what) {
  if (expected.is_null()) return;
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(seen[k], expected[k].get<double>(), kMarginal) << what << " " << k;
}

// Value and gradient of free − clamped, and of the objective, through the seam.
void expect_term(const VectorProblem& problem, const nlohmann::json& expected, double loss_weight,
                 double output, double latent) {
  const TaskOracle<VectorTask> oracle(problem.task, problem.examples);
  const Query free{Side::free, loss_weight, output, latent},
      clamped{Side::clamped, loss_weight, output, latent};
  Plane upper, lower;
  oracle.support(0, problem.weights, free, upper);
  oracle.support(0, problem.weights, clamped, lower);
  EXPECT_NEAR(upper.at(problem.weights), expected.at("upper"), tolerance(expected.at("upper")));
  EXPECT_NEAR(lower.at(problem.weights), expected.at("lower"), tolerance(expected.at("lower")));

  SerialExecutor executor;
  Objective objective(oracle, {"", loss_weight, output, latent}, problem.file.at("C"), executor);
  if (objective.needs_linearizing()) objective.follow();
  EXPECT_NEAR(objective.value(problem.weights), expected.at("objective"),
              tolerance(expected.at("objective")));
  if (!expected.value("differentiable", true)) return;
  Vector gradient(problem.task.dimension()), excess(problem.task.dimension());
  upper.slope.add_to(gradient, 1);
  lower.slope.add_to(gradient, -1);
  objective.sum_of_excesses(problem.weights, excess);
  for (std::size_t k = 0; k < gradient.size(); ++k) {
    EXPECT_NEAR(gradient[k], expected.at("grad_term")[k].get<double>(), kGradient) << k;
    EXPECT_NEAR(problem.weights[k] + excess[k], expected.at("grad_objective")[k].get<double>(),
                kGradient * (1 + objective.C()))
        << k;
  }
}

struct Solved {
  GraphScores scores;
  GraphCounts counts;
  double value = 0;
};

Solved solve(const VectorProblem& problem, double output, double latent, double loss_weight, bool clamped) {
  Solved result;
  const auto& [x, y, weight] = problem.examples[0];
  problem.task.score(x, problem.weights, result.scores);
  if (loss_weight != 0) problem.task.add_loss(y, loss_weight, result.scores);
  if (clamped) problem.task.forbid(y, result.scores);
  GraphEngine engine;
  engine.settings = problem.task.settings();
  result.value = engine.solve(result.scores, output, latent, result.counts);
  return result;
}

void expect_sum(const VectorProblem& problem, const nlohmann::json& expected) {
  const Graph& graph = problem.task.graph();
  const Solved all = solve(problem, 1, 1, 0, false), given = solve(problem, 1, 1, 0, true);
  EXPECT_NEAR(all.value, expected.at("log_partition"), tolerance(all.value));
  EXPECT_NEAR(given.value, expected.at("log_partition_given_labels"), tolerance(given.value));
  for (std::size_t i = 0; i < graph.nodes(); ++i) {
    expect_marginals(expected.at("node_marginals")[i], all.counts.node(i), "node");
    expect_marginals(expected.at("node_marginals_given_labels")[i], given.counts.node(i), "given labels");
  }
  for (std::size_t e = 0; e < graph.edges(); ++e)
    for (std::size_t a = 0; a < graph.states(graph.edge(e).from); ++a)
      expect_marginals(expected.at("edge_marginals")[e][a],
                       all.counts.edge(e) + a * graph.states(graph.edge(e).to), "edge");
  const Assignment best = all.counts.most_probable();
  for (std::size_t i = 0; i < graph.nodes(); ++i) {
    const double* marginal = all.counts.node(i);
    const auto told = expected.at("max_posterior_marginal")[i].get<std::size_t>();
    EXPECT_NEAR(marginal[best[i]], marginal[told], kMarginal);
  }
}

void expect_winner(const VectorProblem& problem, const nlohmann::json& expected, const char* name,
                   double latent, double loss_weight, bool clamped) {
  SCOPED_TRACE(name);
  const Solved solved = solve(problem, 0, latent, loss_weight, clamped);
  const auto& winner = expected.at(name);
  EXPECT_NEAR(solved.value, winner.at("value"), tolerance(solved.value));
  if (winner.at("n_argmax") != 1) return;
  const auto assignment = winner.at("assignment").get<Assignment>();
  for (std::size_t i = 0; i < assignment.size(); ++i)
    EXPECT_TRUE(assignment[i] == kOpen || assignment[i] == solved.counts.structure()[i]) << i;
}

TEST_P(vectors, EliminationFindsSumsAndMarginals) { for_each_problem(expect_sum); }

TEST_P(vectors, EliminationFindsWinners) {
  for_each_problem([](const VectorProblem& problem, const nlohmann::json& expected) {
    expect_winner(problem, expected, "joint_map", 0, 0, false);
    expect_winner(problem, expected, "joint_map_loss_augmented", 0, 1, false);
    expect_winner(problem, expected, "map_given_labels", 0, 0, true);
    expect_winner(problem, expected, "marginal_map", 1, 0, false);
    expect_winner(problem, expected, "marginal_map_loss_augmented", 1, 1, false);
  });
}

TEST_P(vectors, EliminationGivesTheObjectiveOfEveryMethod) {
  for_each_problem([](const VectorProblem& problem, const nlohmann::json& expected) {
    expect_term(problem, expected.at("hcrf"), 0, 1, 1);
    for (const auto& method : expected.at("unified")) {
      const double output = method.at("eps_y"), latent = method.at("eps_h");
      SCOPED_TRACE(fmt::format("temperatures {} and {}", output, latent));
      expect_term(problem, method, 1, output, latent);
      if (!method.at("differentiable").get<bool>()) continue;
      const Solved solved = solve(problem, output, latent, 1, false);
      for (std::size_t i = 0; i < problem.task.graph().nodes(); ++i)
        expect_marginals(method.at("y_posterior")[i], solved.counts.node(i), "posterior");
    }
  });
}

// One temperature on trees, and no elimination.
TEST_P(vectors, MessagesFindTheSameOnTrees) {
  for_each_problem([](VectorProblem& problem, const nlohmann::json& expected) {
    const std::string kind = problem.file.at("kind");
    if (kind == "grid" || kind == "cycle") return;
    problem.task.settings().max_cells = problem.task.settings().search_cells = 0;
    expect_sum(problem, expected);
    expect_winner(problem, expected, "joint_map", 0, 0, false);
    expect_winner(problem, expected, "joint_map_loss_augmented", 0, 1, false);
    expect_winner(problem, expected, "map_given_labels", 0, 0, true);
    expect_term(problem, expected.at("hcrf"), 0, 1, 1);
    for (const auto& method : expected.at("unified"))
      if (method.at("eps_y") == method.at("eps_h"))
        expect_term(problem, method, 1, method.at("eps_y"), method.at("eps_h"));
  });
}

TEST_P(vectors, TheTaskIsInOrder) {
  const bool own = GetParam() == std::string("own");
  for (const char* name : own ? std::array{"tree_2.json", "cycle_5.json", "chain_0.json"}
                              : std::array{"tree_03.json", "cycle_23.json", "chain_alt_16.json"}) {
    const auto file = vector_file(name, GetParam());
    if (!file) GTEST_SKIP() << "skipped: no vectors";
    const VectorProblem problem(*file);
    const CheckReport report = check_task(problem.task, problem.examples);
    EXPECT_TRUE(report.passed()) << name << "\n" << report.text();
    EXPECT_GT(report.comparisons, 100u);
  }
}

TEST(vectors_of_training, BeginAsTold) {
  for (const char* name : {"train/alt_spec.json", "train/hchain_spec.json"}) {
    SCOPED_TRACE(name);
    const auto file = vector_file(name);
    if (!file) GTEST_SKIP() << "skipped: no vectors";
    const TrainingProblem problem(*file);
    const TaskOracle<VectorTask> oracle(problem.task, problem.train);
    for (const auto& run : file->at("runs")) {
      std::string method = run.at("method");
      SCOPED_TRACE(method);
      std::transform(method.begin(), method.end(), method.begin(), [](char c) { return std::tolower(c); });
      SerialExecutor executor;
      Objective objective(oracle, Formulation::named(method), problem.C, executor);
      objective.follow();
      const double value = run.at("objective_history")[0];
      EXPECT_NEAR(objective.value(problem.start), value, tolerance(value));
      Vector gradient(problem.task.dimension());
      objective.sum_of_excesses(problem.start, gradient);
      for (std::size_t k = 0; k < gradient.size(); ++k)
        EXPECT_NEAR(problem.start[k] + gradient[k], run.at("initial_grad")[k].get<double>(), 1e-8) << k;
    }
  }
}

}  // namespace
}  // namespace hinge
