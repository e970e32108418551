// One warm-started path over ascending values of C: each run starts from the weights and planes of the one
// before.
//
//     follow_path({.oracle = oracle, .options = options, .solver = *solver, .executor = executor},
//                 {0.1, 1, 10}, watch, [&](double C, Summary run) { … return true; });
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "hinge/core/executor.h"
#include "hinge/training/solver_choice.h"
#include "hinge/training/training_options.h"
#include "hinge/training/watch.h"

namespace hinge {

// What is minimised, and how. All must outlive the path.
struct Problem {
  const Oracle& oracle;
  const TrainingOptions& options;
  const Solver& solver;  // with its options set
  Executor& executor;
  Vector init = {};        // weights of a model to go on from; empty: where the options say
  double share = 1;        // of all the data: what the objective takes is C times this
  std::string label = {};  // what the lines of its runs begin with
};

// Calls each(C, summary) after every run. Ends early when that returns false or the watch stops a run.
void follow_path(Problem problem, const std::vector<double>& values, Watch& watch,
                 const std::function<bool(double C, Summary run)>& each);

// What is kept of one run: its summary, and what was asked for.
nlohmann::json run_summary(const std::string& task, const Problem& problem, double C, const Summary& run);

// Throws InputError when options that look for good local optima meet complete labels.
void refuse_search(const TrainingOptions& options, const Oracle& oracle);

std::size_t peak_memory_bytes();

}  // namespace hinge
