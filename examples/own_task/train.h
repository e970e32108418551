// What is the same for every task of your own: check it, train with a solver chosen by name, test.
//
//     program [SOLVER [METHOD]]      e.g.  program frank_wolfe ssvm
#pragma once

#include <fmt/core.h>

#include <string>
#include <vector>

#include "hinge/oracle/check_task.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/solvers/solver.h"

template <class Task>
using Examples = std::vector<hinge::Example<Task>>;

template <class Task>
double mean_loss(const Task& task, const hinge::TaskOracle<Task>& oracle, const Examples<Task>& examples,
                 hinge::Weights w) {
  double sum = 0;
  for (const auto& [x, y, weight] : examples) sum += task.loss(y, oracle.predict(x, w));
  return sum / static_cast<double>(examples.size());
}

// Returns the exit code: 0 when the task keeps its contract and what was learned beats zero weights.
template <class Task>
int train_and_test(const Task& task, const Examples<Task>& train, const Examples<Task>& test, int argc,
                   char** argv, hinge::Rescaling rescaling = hinge::Rescaling::margin) try {
  const std::string solver = argc > 1 ? argv[1] : hinge::solver_kinds().front().name;
  const std::string method = argc > 2 ? argv[2] : "ssvm";

  const hinge::CheckReport check = hinge::check_task(task, train);
  fmt::print("check_task: {} comparisons, {} failures\n{}", check.comparisons, check.failures.size(),
             check.text());
  if (!check.passed()) return 1;

  const hinge::TaskOracle<Task> oracle(task, train);
  const auto executor = hinge::make_executor(2);
  hinge::Objective objective(oracle, hinge::Formulation::named(method, rescaling), 100, *executor);
  const hinge::Summary summary = hinge::make_solver(solver)->minimize(objective, {}, {});
  fmt::print("{}\n", summary.brief());

  const double before = mean_loss(task, oracle, test, hinge::Vector(task.dimension()));
  const double after = mean_loss(task, oracle, test, summary.weights);
  fmt::print("mean loss on {} new examples: {:.3f} with zero weights, {:.3f} learned\n", test.size(), before,
             after);
  return after < before ? 0 : 1;
} catch (const hinge::InputError& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}
