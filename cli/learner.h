// Training as the command line does it: one warm-started path over ascending values of C.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>

#include "cli/learning_options.h"
#include "cli/monitor.h"
#include "hinge/core/executor.h"

namespace hinge {

class Learner {
 public:
  // `solver` has its options set. All must outlive the learner.
  Learner(const LearningOptions& options, const Solver& solver, Executor& executor)
      : options_(options), solver_(solver), executor_(executor) {}
  Learner(const LearningOptions&&, const Solver&, Executor&) = delete;
  Learner(const LearningOptions&, const Solver&&, Executor&) = delete;

  struct Path {
    std::vector<double> values;  // ascending
    double share = 1;            // of all the data: what the objective takes is C times this
  };
  // Minimises for each C in turn, starting from the weights and planes of the one before, and calls
  // each(C, summary). Ends early when that returns false or the monitor stops a run. `init`: the weights of
  // --init MODEL, else empty.
  void path(const Oracle& oracle, Vector init, const Path& path, const std::string& label, Monitor& monitor,
            const std::function<bool(double C, Summary summary)>& each) const;

  // What a summary file says of one run.
  nlohmann::json summary(const std::string& task, const Oracle& oracle, double C, const Summary& run) const;

 private:
  const LearningOptions& options_;
  const Solver& solver_;
  Executor& executor_;
};

// Throws InputError when options that look for good local optima meet complete labels.
void refuse_search(const LearningOptions& options, const Oracle& oracle);

// The stopping gap of a solver that has one, else 0.
double target_gap(Solver& solver);
std::size_t peak_memory_bytes();

}  // namespace hinge
