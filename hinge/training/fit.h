// Training: a path of C is followed, each run is measured where there is something to measure on, and the
// best is kept.
// The first form is for any task and any watch, the second for a task of the registry and data that it has
// read.
//
//     auto task = hinge::make_task("multiclass");
//     const auto data = task->read_training({"train.svm"});
//     hinge::SerialExecutor executor;
//     const hinge::Model model = hinge::fit(std::move(task), *data, {.method = "crf"}, executor);
#pragma once

#include "hinge/training/model.h"
#include "hinge/training/path.h"

namespace hinge {

// What to follow and to keep.
struct FitPlan {
  std::string task = {};                              // its name, for the summary
  std::vector<double> values = {};                    // of C, ascending
  std::string select = "loss";                        // the metric that the best C has the best of
  std::function<JsonValue(Weights)> measure = {};     // on validation data; none: the last C is kept
  bool stops_early = false;                           // where data chooses C: see BestC
  std::function<void(const Summary& run)> told = {};  // after every run
};

struct Fitted {
  Vector weights;
  JsonValue summary;            // of the best run, with "validation" where it was measured
  std::vector<JsonValue> path;  // those of every run
  std::string end;              // how it ended, a sentence
};

Fitted fit(const Problem& problem, const FitPlan& plan, Watch& watch);

// The values of C that the options mean for so many examples, where data does not choose.
std::vector<double> path_of_C(const TrainingOptions& options, std::size_t examples);

// The solver that the options ask for, on that data; `choice` becomes what was chosen, and why.
std::unique_ptr<Solver> solver_for(const TrainingOptions& options, const Oracle& oracle,
                                   SolverChoice& choice);

// Of a task that has read the data. Options that name several C, or auto, need data to choose by: the
// command line, `learn` and cross_validate have it; here they throw InputError.
Model fit(std::unique_ptr<AnyTask> task, const Data& data, const TrainingOptions& options,
          Executor& executor);

// The same along a path of C; `init` are weights to go on from. The model is that of the last run.
struct FitPath {
  std::vector<double> values;  // of C, ascending
  Vector init = {};
  std::function<void(Vector weights, JsonValue summary)> told = {};  // of every run, when all have ended
};
Model fit(std::unique_ptr<AnyTask> task, const Data& data, const TrainingOptions& options, Executor& executor,
          const FitPath& path, Watch& watch);

}  // namespace hinge
