// What a solver says when it ends.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "hinge/core/snapshot.h"
#include "hinge/learning/observer.h"
#include "hinge/oracle/oracle.h"

namespace hinge {

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
  // Of this rank's processor, where there are several: in inference without exchanges, and in exchanges, where it also waits.
  double oracle_cpu = 0, exchange_cpu = 0;
};

// What a person should know of answers that were not exact: a sentence; empty when all were.
std::string caution(const InferenceReport& report);

void keep(Snapshot& snapshot, InferenceReport& report);

class PlaneModel;
struct Potentials;

struct Summary {
  std::string solver;
  Vector weights;
  double primal =
      std::numeric_limits<double>::infinity();  // objective(weights); +∞ where it was not computed
  double dual = -std::numeric_limits<double>::infinity();  // a lower bound on the minimum
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
  std::shared_ptr<const Potentials> potentials;  // the same of soft_dual

  double gap() const { return primal - dual; }
  double relative_gap() const { return hinge::relative_gap(primal, dual); }
  std::string brief() const;  // one line for people
  // Counts what an earlier run on the same problem took as part of this one: rounds, calls, seconds, answers.
  void add_work(const Summary& earlier);
  // What a run that began where this one ended says of itself, as rounds of both.
  Progress then(Progress later) const;
  // Makes it one run with an earlier one, at whose weights it began: rounds, work, bounds, and the better weights.
  void go_on_from(Summary earlier);
  void keep(Snapshot& snapshot);  // all but planes and potentials
};

}  // namespace hinge
