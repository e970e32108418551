#include <fmt/format.h>

#include "hinge/learning/objective.h"
#include "hinge/solvers/solver.h"
#include "hinge/training/solver_choice.h"
#include "hinge/training/transduction_methods.h"

namespace hinge {

Transduced learn_codl(const TransductionData& data, const TrainingOptions& options,
                      const TransductionOptions& transduction, double C1, const Solver& solver,
                      Executor& executor, Watch& watch, const TransductionTold& told) {
  const Formulation formulation = options.formulation();
  const std::vector<RulePenalty>& rules = data.unlabelled.knowledge().rules;
  Transduced result;
  result.run = learn_supervised(data, formulation, C1, solver, executor, watch.observer("labelled  ", C1));
  watch.run_ended();
  result.weights = result.run.weights;
  if (data.unlabelled.size() == 0 || transduction.C2 == 0) return result;
  const Vector labelled = result.weights;
  const auto gains = [&](std::size_t j, std::span<double> out) {
    for_each_feature(data.unlabelled.features(j), [&](std::size_t k, std::size_t rule) {
      if (rules[rule].kind == RulePenalty::Kind::satisfied) out[k] = transduction.C2 * rules[rule].weight;
    });
  };
  for (int round = 1; round <= transduction.rule_rounds && watch.stopped().empty(); ++round) {
    const std::unique_ptr<Oracle> own = data.unlabelled.labelled_by(
        result.weights, gains, static_cast<std::size_t>(transduction.self_best), executor);
    // An example counts as much as a labelled one.
    const double C =
        C1 * static_cast<double>(data.unlabelled.size()) / static_cast<double>(data.labelled->size());
    Objective objective(*own, formulation, C, executor);
    Summary run =
        solver.minimize(objective, {}, watch.observer(fmt::format("own labels, round {}  ", round), C));
    watch.run_ended();
    run.planes.reset();
    for (std::size_t j = 0; j < labelled.size(); ++j)
      result.weights[j] =
          (1 - transduction.self_share) * labelled[j] + transduction.self_share * run.weights[j];
    run.add_work(result.run);
    result.run = std::move(run);
    if (!told) continue;
    const TransductionOracle oracle = make_transduction_oracle(data, {C1, transduction.C2, transduction.mu});
    const Vector all = oracle.join(result.weights);
    told({static_cast<std::size_t>(round), oracle.terms(all, 0, executor), oracle.bound(all, executor)});
  }
  result.run.message =
      fmt::format("{} rounds of labels of its own. {}", transduction.rule_rounds, result.run.message);
  result.run.weights.clear();
  return result;
}

}  // namespace hinge
