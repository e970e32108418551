#include "hinge/training/fit.h"

#include <nlohmann/json.hpp>

#include "hinge/core/options_json.h"
#include "hinge/training/choose_c.h"
#include "hinge/training/metric.h"

namespace hinge {

Fitted fit(const Problem& problem, const FitPlan& plan, Watch& watch) {
  Fitted best;
  BestC rule(plan.select, usual_C(problem.options, problem.oracle.size()));
  const auto is_better = [&](const nlohmann::json& metrics) {
    return best.path.empty() || metrics.is_null() ||
           better(plan.select, metric(metrics, plan.select), metric(best.summary["validation"], plan.select));
  };
  follow_path(problem, plan.values, watch, [&](double C, Summary run) {
    if (plan.told) plan.told(run);
    nlohmann::json summary = run_summary(plan.task, problem, C, run), metrics;
    if (plan.measure) summary["validation"] = metrics = plan.measure(run.weights);
    const bool go_on = !plan.stops_early || rule.take(C, run.termination, metrics);
    if (plan.stops_early ? rule.C() == C : is_better(metrics)) {
      best.weights = std::move(run.weights);
      best.summary = summary;
    }
    best.path.push_back(std::move(summary));
    return go_on;
  });
  best.end = watch.stopped().empty() ? best.summary["message"].get<std::string>() : watch.stopped();
  return best;
}

std::vector<double> path_of_C(const TrainingOptions& options, std::size_t examples) {
  std::vector<double> values = options.C.ascending();
  if (values.empty()) values = {usual_C(options, examples)};
  return values;
}

std::unique_ptr<Solver> solver_for(const TrainingOptions& options, const Oracle& oracle,
                                   SolverChoice& choice) {
  const Formulation formulation = options.formulation();
  choice = {options.solver, options.inner, ""};
  if (options.solver == "auto") choice = choose_solver(situation(oracle, options));
  if (choice.solver == "cccp" && choice.inner.empty()) choice.inner = solver_candidates(formulation).front();
  return make_solver(choice, options.seed, options.settings);
}

Model fit(std::unique_ptr<AnyTask> task, const Data& data, const TrainingOptions& options,
          Executor& executor) {
  options.check_consistency();
  if (options.C.chosen_by_data() || options.C.ascending().size() > 1)
    fail("`C` is '{}', but to choose between several needs data held out: give one number.", options.C.text);
  ObserverWatch watch(options.watch);
  return fit(std::move(task), data, options, executor, {path_of_C(options, data.size())}, watch);
}

Model fit(std::unique_ptr<AnyTask> task, const Data& data, const TrainingOptions& options, Executor& executor,
          const FitPath& path, Watch& watch) {
  options.check_consistency();
  refuse_search(options, data.oracle());
  SolverChoice choice;
  const std::unique_ptr<Solver> solver = solver_for(options, data.oracle(), choice);
  std::vector<Vector> runs;
  Fitted fitted = fit({.oracle = data.oracle(),
                       .options = options,
                       .solver = *solver,
                       .executor = executor,
                       .init = path.init},
                      {.task = task->name(),
                       .values = path.values,
                       .told =
                           [&](const Summary& run) {
                             if (path.told) runs.push_back(run.weights);
                           }},
                      watch);
  for (std::size_t k = 0; k < runs.size(); ++k) path.told(std::move(runs[k]), std::move(fitted.path[k]));
  Model model;
  TrainingOptions described = options;
  model.options = nlohmann::json{{"learning", options_to_json(list_options(described))},
                                 {"task", options_to_json(task->options())},
                                 {"solver", options_to_json(solver->options())}};
  model.summary = std::move(fitted.summary);
  model.weights = std::move(fitted.weights);
  model.task = std::move(task);
  model.decode_as_trained();
  return model;
}

}  // namespace hinge
