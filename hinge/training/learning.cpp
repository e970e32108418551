#include "hinge/training/learning.h"

#include "hinge/core/errors.h"

namespace hinge {
namespace {

constexpr std::size_t kUsualFolds = 5;

}  // namespace

Learned learn(const Oracle& oracle, const HoldOut& hold_out, const TrainingOptions& options,
              Executor& executor, Watch& watch) {
  options.check_consistency();
  if (oracle.size() == 0) fail("there is no example to learn from.");
  refuse_search(options, oracle);
  Learned learned;
  const std::unique_ptr<Solver> solver = solver_for(options, oracle, learned.choice);
  const Problem problem{.oracle = oracle, .options = options, .solver = *solver, .executor = executor};
  std::vector<double> values = path_of_C(options, oracle.size());
  FoldPlan plan{.examples = oracle.size(),
                .folds = options.folds > 0 ? static_cast<std::size_t>(options.folds) : kUsualFolds};
  if (options.C.chosen_by_data()) values = {choose_C("", problem, plan, "loss", hold_out, watch).C};
  if (values.size() > 1) {
    plan.values = values;
    const auto make = [&](const Oracle& rest) {
      SolverChoice ignored;
      return solver_for(options, rest, ignored);
    };
    learned.compared = cross_validate(plan, options, hold_out, make, executor, watch);
    if (!learned.compared.complete)
      fail("stopped before every fold was done, so that no `C` could be chosen: {}", watch.stopped());
    values = {learned.compared.best("loss")};
  }
  learned.C = values.front();
  follow_path(problem, values, watch, [&](double, Summary run) {
    learned.run = std::move(run);
    return true;
  });
  return learned;
}

}  // namespace hinge
