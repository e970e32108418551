#include "hinge/training/cross_validate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "hinge/core/errors.h"
#include "hinge/training/metric.h"
#include "hinge/training/shared_watch.h"

namespace hinge {

Estimate estimate(const std::vector<double>& values) {
  const double n = static_cast<double>(values.size());
  Estimate e;
  for (double v : values) e.mean += v / n;
  double squares = 0;
  for (double v : values) squares += (v - e.mean) * (v - e.mean);
  if (n > 1) e.standard_error = std::sqrt(squares / (n - 1) / n);
  return e;
}

double CrossValidation::best(const std::string& name) const {
  const auto mean = [&](const FoldMetrics& metrics) { return estimate(metrics.at(name)).mean; };
  auto best = at.begin();
  for (auto entry = at.begin(); entry != at.end(); ++entry)
    if (better(name, mean(entry->second), mean(best->second))) best = entry;
  return best->first;
}

std::size_t FoldPlan::most_folds() const { return groups.empty() ? examples : std::ranges::max(groups) + 1; }

Folds FoldPlan::draw(std::size_t count, std::uint64_t seed) const {
  return groups.empty() ? Folds(examples, count, seed) : Folds(groups, count, seed);
}

CrossValidation cross_validate(const FoldPlan& plan, const TrainingOptions& options, const HoldOut& hold_out,
                               const SolverFor& make_solver, Executor& executor, Watch& watch) {
  if (plan.folds > plan.examples)
    fail("`folds` is {}, but there are only {} examples: use at most that many.", plan.folds, plan.examples);
  if (const std::size_t groups = plan.most_folds(); plan.folds > groups)
    fail("`folds` is {}, but the examples are of only {} groups, which are not split: use at most that many.",
         plan.folds, groups);
  const Folds folds = plan.draw(plan.folds, options.seed);
  SharedWatch shared(watch);
  std::vector<std::map<double, std::map<std::string, double>>> found(plan.folds);  // by fold, C and metric
  const auto learn_without = [&](std::size_t k) {
    if (!shared.stopped().empty()) return;
    std::unique_ptr<HeldOut> fold;
    try {  // what the whole data allowed may be refused of a part: one class is left, or no label in the fold
      fold = hold_out(folds.rest(k), folds.part(k));
    } catch (const InputError& error) {
      fail("with fold {} of {} held out: {} Other `folds` or another `seed` may do.", k + 1, plan.folds,
           error.what());
    }
    const std::unique_ptr<Solver> solver = make_solver(fold->oracle());
    follow_path({.oracle = fold->oracle(),
                 .options = options,
                 .solver = *solver,
                 .executor = executor,
                 .init = fold->init(),
                 .share = fold->share(),
                 .label = fmt::format("{}fold {} of {}  ", plan.label, k + 1, plan.folds)},
                plan.values, shared, [&](double C, Summary run) {
                  if (!shared.stopped().empty()) return false;
                  const nlohmann::json metrics = fold->evaluate(run.weights, executor);
                  for (const std::string& name : metric_names(metrics))
                    found[k][C][name] = metric(metrics, name);
                  return true;
                });
  };
  // Whole folds at a time, where there are as many as workers; else all workers on one fold after the other, and so
  // where there are ranks: all of them make their exchanges in the same order.
  if (plan.folds >= executor.workers() && executor.ranks() == nullptr)
    executor.run(plan.folds, learn_without);
  else
    SerialExecutor().run(plan.folds, learn_without);
  CrossValidation result;
  for (const auto& fold : found)
    for (const auto& [C, metrics] : fold)
      for (const auto& [name, value] : metrics) result.at[C][name].push_back(value);
  result.complete = watch.stopped().empty();
  for (auto& [C, metrics] : result.at)
    std::erase_if(metrics, [&](const auto& entry) { return entry.second.size() < plan.folds; });
  return result;
}

}  // namespace hinge
