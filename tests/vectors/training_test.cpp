// The training runs of the test vectors, step by step: `descent` takes the same ones.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hinge/oracle/task_oracle.h"
#include "hinge/solvers/descent.h"
#include "tests/support/vector_problem.h"

namespace hinge {
namespace {

class VectorTraining : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Files, VectorTraining, testing::Values("alt_spec", "hchain_spec"),
                         [](const auto& one) { return std::string(one.param); });

Formulation formulation(const std::string& method) {
  return Formulation::named(method == "MSSVM" ? "mssvm" : method == "LSSVM" ? "lssvm" : "hcrf");
}

Descent algorithm(const nlohmann::json& run) {
  Descent descent;
  descent.settings.step = run.at("eta");
  const bool cccp = run.at("algorithm") == "cccp";
  descent.settings.inner_steps = cccp ? run.at("inner").get<int>() : 1;
  descent.settings.max_steps =
      cccp ? run.at("inner").get<int>() * run.at("outer").get<int>() : run.at("iterations").get<int>();
  return descent;
}

// A state of each output, -1 where something is hidden.
Assignment outputs(const VectorTask& task, Assignment s) {
  for (std::size_t i = 0; i < s.size(); ++i)
    if (!task.output(i)) s[i] = GraphScores::kOpen;
  return s;
}

TEST_P(VectorTraining, TakesTheSameStepsToTheSameWeights) {
  const auto file = vector_file(std::string("train/") + GetParam() + ".json");
  if (!file) GTEST_SKIP() << "skipped: no vectors";
  const TrainingProblem problem(*file);
  const TaskOracle<VectorTask> oracle(problem.task, problem.train);
  SerialExecutor executor;
  for (const auto& run : problem.file.at("runs")) {
    const std::string what =
        run.at("method").get<std::string>() + " " + run.at("algorithm").get<std::string>();
    Objective objective(oracle, formulation(run.at("method")), problem.C, executor);
    const Summary s = algorithm(run).minimize(objective, {problem.start, nullptr}, {});

    // Rounding of the order 1e-15 of a weight grows along the run as a change of 1e-10 does.
    const double growth = run.at("perturbation_1e-10_max_weight_change").get<double>() / 1e-10;
    const double weight_tolerance = 1e-12 * std::max(1.0, growth);
    const auto weights = run.at("final_weights").get<Vector>();
    ASSERT_EQ(s.weights.size(), weights.size());
    for (std::size_t j = 0; j < weights.size(); ++j)
      EXPECT_NEAR(s.weights[j], weights[j], weight_tolerance) << what << " weight " << j;

    const auto history = run.at("objective_history").get<Vector>();
    ASSERT_EQ(s.history.size(), history.size() + 1) << what;
    const double scale = 1e-12 * std::max(1.0, growth) * history.front();
    for (std::size_t t = 0; t < history.size(); ++t)
      EXPECT_NEAR(s.history[t].primal, history[t], scale) << what << " round " << t;
    EXPECT_NEAR(s.primal, run.at("final_objective").get<double>(), scale) << what;
  }
}

TEST_P(VectorTraining, PredictsTheSame) {
  const auto file = vector_file(std::string("train/") + GetParam() + ".json");
  if (!file) GTEST_SKIP() << "skipped: no vectors";
  const TrainingProblem problem(*file);
  const TaskOracle<VectorTask> oracle(problem.task, problem.test);
  for (const auto& run : problem.file.at("runs")) {
    const auto w = run.at("final_weights").get<Vector>();
    for (const auto& [name, expected] : run.at("test_predictions").items()) {
      const Decoding decoding = Decoding::named(name == "joint_map"      ? "joint"
                                                : name == "marginal_map" ? "marginal-map"
                                                                         : "max-marginals");
      double right = 0, all = 0;
      for (std::size_t i = 0; i < problem.test.size(); ++i) {
        const Assignment found = outputs(problem.task, oracle.predict(problem.test[i].input, w, decoding));
        EXPECT_EQ(found, expected.at(i).get<Assignment>()) << name << " of example " << i;
        for (std::size_t k = 0; k < found.size(); ++k)
          if (problem.task.output(k)) ++all, right += found[k] == problem.test[i].label.states[k] ? 1 : 0;
      }
      EXPECT_NEAR(100 * right / all, run.at("test_accuracy").at(name).get<double>(), 1e-9) << name;
    }
  }
}

}  // namespace
}  // namespace hinge
