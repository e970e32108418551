#include "hinge/training/transduction.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "hinge/learning/objective.h"
#include "hinge/oracle/checking_oracle.h"
#include "hinge/solvers/solver.h"
#include "hinge/training/transduction_methods.h"

namespace hinge {

std::string TransductionRound::text() const {
  std::size_t broken = 0, features = 0;
  for (std::size_t r = 0; r < bound.broken.size(); ++r)
    broken += bound.broken[r], features += bound.features[r];
  return fmt::format(
      "round {}: labelled loss {:.6g}, Gamma {:.6g} (of predictions {:.6g}, at most {:.6g}), quadratic "
      "distance "
      "{:.6g}, {} of {} rule features broken",
      round, terms.labelled, bound.B, bound.gamma_of_predictions, bound.bound, bound.distance, broken,
      features);
}

double labelled_weight(const TrainingOptions& options, const TransductionOptions& transduction,
                       std::size_t labelled) {
  if (transduction.C1 > 0) return transduction.C1;
  const std::vector<double> values = options.C.ascending();
  if (options.C.chosen_by_data() || values.size() > 1)
    fail("`C` is '{}', but method {} takes one number: choose by `validation` over several runs.",
         options.C.text, options.method);
  return values.empty() ? usual_C(options, labelled) : values.front();
}

double unlabelled_weight(const TrainingOptions& options, const TransductionOptions& transduction,
                         std::size_t unlabelled) {
  if (transduction.C2 >= 0) return transduction.C2;
  if (transduction.C2 != TransductionOptions::kUsual)
    check_option("C2", transduction.C2, range::not_negative);
  if (transduction.labels_as_constraints) return usual_C(options, unlabelled);
  return options.method == "transductive" ? 0.5 * static_cast<double>(unlabelled) : 1;
}

SolverChoice transduction_choice(const TrainingOptions& options) {
  std::string inner = options.inner;
  if (inner.empty())
    inner = options.solver == "auto" || options.solver == "cccp" ? "frank_wolfe" : options.solver;
  return {"cccp", inner, "unlabelled examples have single labellings as planes"};
}

LabelConstraints label_constraints(const std::vector<Labels>& labels, std::size_t classes) {
  LabelConstraints made;
  made.knowledge.rules = {{.name = "labels", .weight = 0.5}};
  for (std::size_t k = 0; k < classes; ++k) {
    LabelFlags only(classes);
    only[k] = 1;
    made.knowledge.shared.sets.push_back(std::move(only));
  }
  for (const Labels& y : labels) {
    Constraints features;
    for (std::uint32_t t = 0; t < y.size(); ++t) {
      if (y[t] < 0) continue;
      for (std::uint32_t k = 0; k < classes; ++k) {
        features.positions.push_back({t, k, 0});
        const double target = static_cast<int>(k) == y[t] ? 1 : 0;
        made.gamma.coordinates.push_back({static_cast<Index>(made.target.size()), 0.5, target});
        made.target.push_back(target);
      }
    }
    made.knowledge.examples.push_back(std::move(features));
  }
  return made;
}

TransductionOracle make_transduction_oracle(const TransductionData& data,
                                            const TransductionWeights& weights) {
  std::vector<const Constraints*> examples;
  std::vector<Index> first = {0};
  for (std::size_t j = 0; j < data.unlabelled.size(); ++j) {
    examples.push_back(&data.unlabelled.features(j));
    first.push_back(first.back() + static_cast<Index>(examples.back()->size()));
  }
  Gamma gamma =
      data.gamma != nullptr ? *data.gamma : Gamma::of(data.unlabelled.knowledge().rules, examples, first);
  return {data.labelled, data.unlabelled, std::move(gamma), weights, Settle::yes};
}

Summary learn_supervised(const TransductionData& data, const Formulation& formulation, double C,
                         const Solver& solver, Executor& executor, const Observer& observer) {
  std::optional<CheckingOracle> checking;
  if (may_approximate(*data.labelled, formulation)) checking.emplace(*data.labelled);
  Objective objective(checking ? *checking : *data.labelled, formulation, C, executor);
  Summary found = solver.minimize(objective, {}, observer);
  found.planes.reset();
  return found;
}

namespace {

Transduced learn_by_cccp(const TransductionData& data, const TrainingOptions& options,
                         const TransductionOptions& transduction, double C1, const Solver& solver,
                         Executor& executor, Watch& watch,
                         const std::function<void(const TransductionRound&)>& told) {
  Formulation formulation = options.formulation();
  const double labelled_loss = formulation.loss_weight;
  formulation.loss_weight = 1;  // of all that is constant: see TransductionOracle
  Transduced result;
  Vector w(data.unlabelled.dimension());
  Summary before;
  if (data.labelled != nullptr) {
    before =
        learn_supervised(data, options.formulation(), C1, solver, executor, watch.observer("labelled  ", C1));
    watch.run_ended();
    w = before.weights;
  }
  if (transduction.C2 == 0 || !watch.stopped().empty()) {
    result.run = std::move(before);
    result.weights = std::exchange(result.run.weights, {});
    return result;
  }

  Vector v = data.start_v;
  std::size_t rounds = 0;
  const int stages = std::max(1, transduction.anneal_mu);
  for (int stage = 1; stage <= stages && watch.stopped().empty(); ++stage) {
    const double mu = transduction.mu *
                      (stages == 1 ? 1 : std::pow(10, static_cast<double>(stage - stages) / (stages - 1)));
    const TransductionOracle oracle =
        make_transduction_oracle(data, {C1, transduction.C2, mu, labelled_loss});
    std::optional<CheckingOracle> checking;
    if (may_approximate(oracle, formulation)) checking.emplace(oracle);
    const Oracle& asked = checking ? static_cast<const Oracle&>(*checking) : oracle;
    Objective objective(asked, formulation, 1, executor, oracle.regulariser());
    Vector start = oracle.join(w, v);
    const auto stands = [&](Weights all) {
      return TransductionRound{rounds, oracle.terms(all, formulation.output_temperature, executor),
                               oracle.bound(all, executor)};
    };
    std::size_t heard = 0;
    const auto hear = [&](const Progress& progress) {
      if (progress.iteration == heard || !told) return true;
      heard = progress.iteration;
      ++rounds;
      told(stands(progress.weights));
      return true;
    };
    const std::string label = stages > 1 ? fmt::format("mu = {:g}  ", mu) : "";
    Summary run =
        solver.descend(objective, {std::move(start)}, watch.observer(label, transduction.C2).and_also(hear));
    watch.run_ended();
    run.planes.reset();
    result.end = stands(run.weights);
    v = oracle.v(run.weights);
    w.assign(run.weights.begin(), run.weights.begin() + static_cast<std::ptrdiff_t>(w.size()));
    run.weights.clear();
    if (stage > 1) run.add_work(result.run);
    result.run = std::move(run);
  }
  result.run.message += fmt::format(
      " It began from what the labelled examples teach, which took {} oracle calls and {:.2f} CPU seconds.",
      before.oracle_calls, before.cpu_seconds);
  result.run.add_work(before);
  result.weights = std::move(w);
  return result;
}

}  // namespace

Transduced transduce(const TransductionData& data, const TrainingOptions& options,
                     const TransductionOptions& given, const Solver& solver, Executor& executor, Watch& watch,
                     const std::function<void(const TransductionRound&)>& told) {
  validate(given);
  TransductionOptions transduction = given;
  transduction.C2 = unlabelled_weight(options, given, data.unlabelled.size());
  if (data.labelled == nullptr && options.method != "transductive")
    fail("labels as constraints are served by `method` transductive, not by {}.", options.method);
  if (data.labelled != nullptr && data.labelled->size() == 0)
    fail("there is no labelled example to learn from.");
  const double C1 =
      data.labelled == nullptr ? 0 : labelled_weight(options, transduction, data.labelled->size());
  if (options.method == "codl")
    return learn_codl(data, options, transduction, C1, solver, executor, watch, told);
  if (options.method == "pr") return learn_projected(data, options, transduction, C1, executor, watch, told);
  if (options.method == "ge") return learn_expected(data, options, transduction, C1, executor, watch, told);
  if (options.method == "transductive") {
    if (data.unlabelled.size() == 0) fail("there is no unlabelled example to learn from.");
    return learn_by_cccp(data, options, transduction, C1, solver, executor, watch, told);
  }
  Transduced result;
  result.run =
      learn_supervised(data, options.formulation(), C1, solver, executor, watch.observer("labelled  ", C1));
  watch.run_ended();
  result.weights = std::exchange(result.run.weights, {});
  return result;
}

}  // namespace hinge
