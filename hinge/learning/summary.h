// What a solver says while it runs (Progress) and when it ends (Summary).
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "hinge/oracle/oracle.h"

namespace hinge {

struct Progress {
  std::size_t iteration = 0;  // rounds of the solver's outer loop
  std::size_t oracle_calls = 0;
  double passes = 0;                                        // oracle_calls / n
  double primal = std::numeric_limits<double>::infinity();  // best so far
  double dual = -std::numeric_limits<double>::infinity();   // best so far; −∞ where the solver has none
  double gradient_norm = std::numeric_limits<double>::quiet_NaN();  // lbfgs
  double estimated_gap = std::numeric_limits<double>::quiet_NaN();  // where primal is rarely computed
  double inner_gap = std::numeric_limits<double>::quiet_NaN();  // relative, of the convex problem inside cccp
  std::size_t planes = 0;                                       // held in memory
  double seconds = 0;  // since the start; for people, never for decisions

  double gap() const { return primal - dual; }
  double relative_gap() const { return gap() == 0 ? 0 : gap() / primal; }
};

// Called after every round; returns false to stop the run with what there is.
using Observer = std::function<bool(const Progress&)>;

enum class Termination {
  converged,        // the stopping rule was met
  iteration_limit,  // max_passes or max_iterations was reached
  stopped,          // the observer said so: time limit, Ctrl-C
  no_progress,      // numbers do not allow a better answer
};
std::string to_string(Termination termination);

struct PhaseTimes {
  double oracle = 0;  // seconds in inference
  double model = 0;   // seconds in the solver's own quadratic problem, line search and bookkeeping
};

// What a person should know of answers that were not exact: a sentence; empty when all were.
std::string caution(const InferenceReport& report);

class PlaneModel;

struct Summary {
  std::string solver;
  Vector weights;
  double primal = std::numeric_limits<double>::infinity();  // objective(weights)
  double dual = -std::numeric_limits<double>::infinity();   // a lower bound on the minimum
  Termination termination = Termination::converged;
  std::string message;  // one sentence on how it ended
  std::size_t iterations = 0;
  std::size_t oracle_calls = 0;
  double seconds = 0;
  double cpu_seconds = 0;
  PhaseTimes phases;
  std::vector<Progress> history;
  Vector restarts;            // the objective that each reached, where there were several
  InferenceReport inference;  // how the oracle answered
  std::shared_ptr<PlaneModel>
      planes;  // what a later run on the same examples may start from; null where there is none

  double gap() const { return primal - dual; }
  double relative_gap() const { return gap() == 0 ? 0 : gap() / primal; }
  std::string brief() const;  // one line for people
};

}  // namespace hinge
