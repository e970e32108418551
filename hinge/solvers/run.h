// The bookkeeping that all solvers share: counts, times, the best primal and dual so far, history, and the
// observer.
#pragma once

#include <chrono>
#include <ctime>

#include "hinge/learning/objective.h"
#include "hinge/learning/summary.h"

namespace hinge {

class Run {
 public:
  Run(std::string solver, const Objective& objective, const Observer& observer)
      : objective_(objective), observer_(observer), first_call_(objective.oracle_calls()) {
    summary_.solver = std::move(solver);
  }

  // A feasible point and its objective: kept when it is the best so far.
  void primal(double value, Weights w) {
    if (value >= summary_.primal) return;
    summary_.primal = value;
    summary_.weights.assign(w.begin(), w.end());
  }
  void dual(double bound) { summary_.dual = std::max(summary_.dual, bound); }
  bool within(double relative_gap) const {
    return summary_.gap() <= relative_gap * std::abs(summary_.primal);
  }

  // Ends a round: records it and asks the observer. False when the run must stop.
  bool round(std::size_t planes = 0, double gradient_norm = std::numeric_limits<double>::quiet_NaN()) {
    ++summary_.iterations;
    Progress p;
    p.iteration = summary_.iterations;
    p.oracle_calls = calls();
    p.passes = passes();
    p.primal = summary_.primal;
    p.dual = summary_.dual;
    p.gradient_norm = gradient_norm;
    p.planes = planes;
    p.seconds = wall_.seconds();
    summary_.history.push_back(p);
    return !observer_ || observer_(p);
  }

  std::size_t calls() const { return objective_.oracle_calls() - first_call_; }
  double passes() const { return static_cast<double>(calls()) / static_cast<double>(objective_.size()); }
  const Summary& summary() const { return summary_; }
  PhaseTimes& phases() { return summary_.phases; }

  Summary finish(Termination termination, std::string message) {
    summary_.termination = termination;
    summary_.message = std::move(message);
    summary_.oracle_calls = calls();
    summary_.seconds = wall_.seconds();
    summary_.cpu_seconds = static_cast<double>(std::clock() - cpu_start_) / CLOCKS_PER_SEC;
    return std::move(summary_);
  }

  // Seconds since it was made;.
  class Timer {
   public:
    double seconds() const {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

   private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  };

 private:
  const Objective& objective_;
  const Observer& observer_;
  std::size_t first_call_;
  Summary summary_;
  Timer wall_;
  std::clock_t cpu_start_ = std::clock();
};

}  // namespace hinge
