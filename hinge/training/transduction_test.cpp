#include "hinge/training/transduction.h"

#include <gtest/gtest.h>

#include "hinge/learning/objective.h"
#include "hinge/oracle/check_oracle.h"
#include "hinge/solvers/cccp.h"
#include "hinge/solvers/smooth_minimum.h"
#include "hinge/transduce.h"
#include "tests/support/knowledge.h"
#include "tests/support/set_option.h"
#include "tests/support/transduction_problem.h"

namespace hinge {
namespace {

// Chains of three labels whose rows are noisy pictures of the label, two labelled and eight not, and rules that
// the true labels keep: each position's set holds its label, labels follow each other as they do, and the last
// automaton counts label 2.
struct Chains {
  static constexpr std::size_t kLabels = 3;
  RowsTask task{kLabels, 3};
  std::vector<Example<RowsTask>> labelled;
  std::vector<RowsTask::Input> unlabelled;
  std::vector<Path> truth;  // of the unlabelled
  Knowledge knowledge;

  explicit Chains(std::uint64_t seed, bool rules = true) {
    Random random(seed);
    for (std::size_t k = 0; k < kLabels; ++k) {
      LabelFlags set(kLabels, 1);
      set[k] = 0;
      knowledge.shared.sets.push_back(set);
    }
    knowledge.shared.tables.push_back({kLabels, {1, 1, 0, 0, 1, 1, 1, 0, 1}});   // k, then k or k + 1
    knowledge.shared.automata.push_back({kLabels, {0, 0, 1, 1, 1, 1}, {0, 1}});  // there is a 2
    knowledge.rules = {{.name = "sets"}, {.name = "pairs"}, {.name = "whole"}};
    for (int i = 0; i < 10; ++i) {
      Path y = {static_cast<int>(random.below(kLabels))};
      while (y.size() < 6) y.push_back(static_cast<int>((y.back() + random.below(2)) % kLabels));
      RowsTask::Input x;
      for (const int label : y) {
        Vector row(3);
        for (double& v : row) v = 1.2 * random.normal();
        row[static_cast<std::size_t>(label)] += 1;
        x.push_back(row);
      }
      Constraints features;
      if (rules) {
        for (std::uint32_t t = 0; t < y.size(); ++t) {
          const auto other =
              static_cast<std::uint32_t>((static_cast<std::size_t>(y[t]) + 1 + random.below(2)) % kLabels);
          if (random.below(2) == 0) features.positions.push_back({t, other, 0});
          if (t + 1 < y.size()) features.pairs.push_back({t, 0, 1});
        }
        if (std::ranges::find(y, 2) != y.end()) features.wholes.push_back({0, 2});
      }
      knowledge.examples.push_back(features);
      if (i < 2)
        labelled.push_back({x, y});
      else
        unlabelled.push_back(x), truth.push_back(y);
    }
  }
  Transduced learn(const TrainingOptions& options, const TransductionOptions& transduction) const {
    return transduce(task, std::span<const Example<RowsTask>>(labelled),
                     std::span<const RowsTask::Input>(unlabelled), knowledge, options, transduction);
  }
  double errors(Weights w) const {
    double wrong = 0;
    for (std::size_t j = 0; j < unlabelled.size(); ++j)
      wrong +=
          task.loss(truth[j], Factored<RowsTask>().predict(task, unlabelled[j], w.first(task.dimension())));
    return wrong;
  }
  // The optimum of the labelled examples alone.
  Summary supervised(double C) const {
    const TaskOracle<RowsTask> oracle(task, labelled);
    SerialExecutor executor;
    Objective objective(oracle, Formulation::named("ssvm"), C, executor);
    return make_solver("frank_wolfe")->minimize(objective, {}, {});
  }
};

const TrainingOptions kOptions = {.method = "transductive", .C = 2, .settings = {{"gap", 1e-6}}};

TEST(Transduction, C2OfZeroIsTheSupervisedOptimum) {
  const Chains chains(1);
  for (const char* method : {"transductive", "codl"}) {
    TrainingOptions options = kOptions;
    options.method = method;
    const Transduced found = chains.learn(options, {.C2 = 0});
    const TaskOracle<RowsTask> oracle(chains.task, chains.labelled);
    SerialExecutor executor;
    Objective objective(oracle, Formulation::named("ssvm"), 2, executor);
    const Summary best = chains.supervised(2);
    EXPECT_LE(objective.value(found.weights), best.dual + best.gap() + 1e-5 * best.primal) << method;
  }
  for (const char* method : {"pr", "ge"}) {
    const Transduced found = chains.learn({.method = method, .C = 2}, {.C2 = 0});
    const TaskOracle<RowsTask> oracle(chains.task, chains.labelled);
    SerialExecutor executor;
    Objective objective(oracle, Formulation::named("crf"), 2, executor);
    const Summary best = make_solver("lbfgs")->minimize(objective, {}, {});
    EXPECT_NEAR(objective.value(found.weights), best.primal, 1e-3 * best.primal) << method;
  }
}

// Every method of rules makes predictions keep the rules better than labels alone do, and labels more of them
// right, over several draws.
TEST(Transduction, EveryMethodLearnsFromRules) {
  std::map<std::string, double> errors, broken;
  const std::vector<std::string> methods = {"ssvm", "transductive", "codl", "pr", "ge"};
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Chains chains(seed);
    for (const std::string& method : methods) {
      const TransductionOptions transduction = {
          .C2 = method == "codl" ? 2.0 : 5.0, .mu = 2, .self_share = 0.5};
      const Transduced found = chains.learn({.method = method, .C = 2}, transduction);
      ASSERT_EQ(found.weights.size(), chains.task.dimension());
      errors[method] += chains.errors(found.weights);
      for (std::size_t j = 0; j < chains.unlabelled.size(); ++j) {
        const Constraints& features = chains.knowledge.examples[2 + j];
        Vector phi(features.size());
        evaluate(chains.knowledge.shared, features,
                 Factored<RowsTask>().predict(chains.task, chains.unlabelled[j], found.weights), phi);
        for (const double held : phi) broken[method] += 1 - held;
      }
    }
  }
  for (const std::string& method : methods) {
    if (method == "ssvm") continue;
    EXPECT_LT(errors[method], errors["ssvm"]) << method;
    EXPECT_LT(broken[method], 0.8 * broken["ssvm"]) << method;
  }
}

// Settled coordinates are constants: the optimum of a convex round, its value and v are those of all coordinates.
TEST(Transduction, SettledCoordinatesChangeNothing) {
  Chains chains(4);
  chains.knowledge.rules[1].weight = 0.01;  // too light to settle
  std::vector<const RowsTask::Input*> inputs;
  for (const RowsTask::Input& x : chains.unlabelled) inputs.push_back(&x);
  const GuidedExamples<RowsTask> examples(chains.task, chains.labelled, inputs, chains.knowledge, false);
  std::vector<const Constraints*> features;
  std::vector<Index> first = {0};
  for (std::size_t j = 0; j < inputs.size(); ++j) {
    features.push_back(&examples.unlabelled().features(j));
    first.push_back(first.back() + static_cast<Index>(features.back()->size()));
  }
  const Gamma gamma = Gamma::of(chains.knowledge.rules, features, first);
  SerialExecutor executor;
  for (const double temperature : {0.0, 0.5}) {
    const auto solve = [&](Settle settle) {
      TransductionOracle oracle(&examples.labelled(), examples.unlabelled(), gamma, {2, 3, 4}, settle);
      const CheckReport report = check_oracle(oracle);
      EXPECT_TRUE(report.passed()) << report.text();
      Objective objective(oracle, {"transductive", 1, temperature, temperature}, 1, executor,
                          oracle.regulariser());
      const Vector start = oracle.join(Vector(examples.unlabelled().dimension(), 0.1));
      EXPECT_NEAR(objective.value(start), oracle.terms(start, temperature, executor).sum(), 1e-9);
      objective.linearize(start);
      const auto solver = make_solver("frank_wolfe");
      set_option(*solver, "gap", 1e-9);
      set_option(*solver, "max_passes", 1e5);
      const Summary found = solver->descend(objective, {start}, {});
      EXPECT_EQ(found.termination, Termination::converged) << found.message;
      return std::tuple(oracle.size(), found.primal, oracle.v(found.weights),
                        oracle.bound(found.weights, executor).A);
    };
    const auto [all_size, all_value, all_v, all_A] = solve(Settle::no);
    const auto [size, value, v, A] = solve(Settle::yes);
    EXPECT_LT(size, all_size);
    EXPECT_GT(size, examples.labelled().size() + inputs.size());
    EXPECT_NEAR(value, all_value, 1e-7 * all_value);
    EXPECT_NEAR(A, all_A, 1e-3);
    for (std::size_t k = 0; k < v.size(); ++k) EXPECT_NEAR(v[k], all_v[k], 1e-3) << k;
  }
}

TEST(Transduction, SaysWhereItEndsAndTheBoundHolds) {
  const Chains chains(3);
  const Transduced found = chains.learn(kOptions, {.C2 = 3, .mu = 4});
  EXPECT_EQ(found.run.termination, Termination::converged) << found.run.message;
  EXPECT_NEAR(found.end.terms.sum(), found.run.primal, 1e-6 * found.run.primal);
  EXPECT_LE(found.end.bound.gamma_of_predictions, found.end.bound.bound + 1e-9);
  EXPECT_GT(found.end.bound.features[0], 0u);
  EXPECT_NE(found.end.text().find("rule features broken"), std::string::npos);
}

// Softer maxima, and mu that grows: the same interface, and as good a fit as the plain run within a half.
TEST(Transduction, ServesTemperaturesAndAnnealing) {
  const Chains chains(4);
  const Transduced plain = chains.learn(kOptions, {.C2 = 3, .mu = 4});
  const Transduced annealed = chains.learn(kOptions, {.C2 = 3, .mu = 4, .anneal_mu = 3});
  EXPECT_NEAR(annealed.end.terms.sum(), annealed.run.primal, 1e-6 * annealed.run.primal);
  EXPECT_LT(annealed.run.primal, 1.5 * plain.run.primal);
  TrainingOptions soft = kOptions;
  soft.output_temperature = soft.latent_temperature = 0.5;
  soft.settings = {{"gap", 1e-3}};
  const Transduced softened = chains.learn(soft, {.C2 = 3, .mu = 4});
  EXPECT_NEAR(softened.end.terms.sum(), softened.run.primal, 1e-6 * softened.run.primal);
  EXPECT_LE(chains.errors(softened.weights), chains.errors(chains.supervised(2).weights) + 3);
}

// A rule has a weight of its own: positive for rules that labels keep.
TEST(Transduction, RuleFeaturesHaveWeights) {
  const Chains chains(5);
  const Transduced found = chains.learn(kOptions, {.C2 = 3, .mu = 1, .rule_features = true});
  ASSERT_EQ(found.weights.size(), chains.task.dimension() + 3);
  const GuidedTask<RowsTask> task(chains.task, chains.knowledge, true);
  std::vector<Example<GuidedTask<RowsTask>>> examples;
  for (std::size_t i = 0; i < 2; ++i)
    examples.push_back(
        {{&chains.labelled[i].input, &chains.knowledge.examples[i]}, chains.labelled[i].label});
  const TaskOracle<GuidedTask<RowsTask>> oracle(task, examples);
  const CheckReport report = check_oracle(oracle);
  EXPECT_TRUE(report.passed()) << report.text();
  EXPECT_GT(found.weights[chains.task.dimension() + 1], 0);
}

TEST(Transduction, HardRulesAreKept) {
  Chains chains(6);
  chains.knowledge.rules[0].hard = true;
  const Transduced found = chains.learn(kOptions, {.C2 = 3, .mu = 1});
  EXPECT_GT(found.run.iterations, 0u);
  chains.knowledge.shared.sets.push_back({0, 0, 0});
  chains.knowledge.examples[4].positions.push_back({1, 3, 0});
  try {
    chains.learn(kOptions, {.C2 = 3, .mu = 1});
    FAIL() << "nothing was refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'sets'"), std::string::npos) << error.what();
  }
}

// Section 4: labels as constraints learn what labels teach.
TEST(Transduction, LabelsAsConstraintsLearnLabels) {
  const Chains chains(7, false);
  std::vector<Labels> labels;
  std::vector<const RowsTask::Input*> inputs;
  for (std::size_t j = 0; j < chains.unlabelled.size(); ++j) {
    labels.push_back(chains.truth[j]);
    inputs.push_back(&chains.unlabelled[j]);
  }
  const LabelConstraints made = label_constraints(labels, Chains::kLabels);
  const GuidedExamples<RowsTask> examples(chains.task, {}, inputs, made.knowledge, false);
  SerialExecutor executor;
  ObserverWatch watch({});
  const Transduced found = transduce(
      {.unlabelled = examples.unlabelled(), .gamma = &made.gamma, .start_v = made.target}, kOptions,
      {.C2 = 20, .mu = 1}, *make_solver(transduction_choice(kOptions), kOptions.seed, kOptions.settings),
      executor, watch);
  std::vector<Example<RowsTask>> complete;
  for (std::size_t j = 0; j < inputs.size(); ++j) complete.push_back({*inputs[j], chains.truth[j]});
  const TaskOracle<RowsTask> oracle(chains.task, complete);
  Objective objective(oracle, Formulation::named("ssvm"), 20, executor);
  const Summary supervised = make_solver("frank_wolfe")->minimize(objective, {}, {});
  EXPECT_LT(chains.errors(found.weights), 0.5 * chains.errors(Vector(chains.task.dimension())));
  EXPECT_LE(chains.errors(found.weights), chains.errors(supervised.weights) + 3);
}

TEST(Transduction, RefusesWhatItCannotServe) {
  const Chains chains(8);
  EXPECT_THROW(chains.learn({.method = "transductive", .C = {1, 2}}, {}), InputError);
  EXPECT_THROW(chains.learn(kOptions, {.mu = 0}), InputError);
  Knowledge short_one = chains.knowledge;
  short_one.examples.pop_back();
  EXPECT_THROW(transduce(chains.task, std::span<const Example<RowsTask>>(chains.labelled),
                         std::span<const RowsTask::Input>(chains.unlabelled), short_one),
               InputError);
}

TEST(SmoothMinimum, FindsThatOfAQuadratic) {
  Vector w = {3, -2, 7};
  const Vector curvature = {1, 10, 100}, centre = {1, 2, 3};
  const auto f = [&](Weights at, std::span<double> gradient) {
    double value = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      gradient[k] = curvature[k] * (at[k] - centre[k]);
      value += 0.5 * gradient[k] * (at[k] - centre[k]);
    }
    return value;
  };
  EXPECT_TRUE(minimise(f, w, 1e-8, 100).converged);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(w[k], centre[k], 1e-7);
}

}  // namespace
}  // namespace hinge
