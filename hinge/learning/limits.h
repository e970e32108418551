// Observers that end a run: by the clock, by a flag, or at a gap. A solver itself never looks at the clock,
// so runs repeat; who wants a deadline puts it into the observer:
//
//     solver->minimize(objective, start, time_limit(60, stop_when(interrupted, show_progress)));
//
// Each tells its inner observer first (an empty one is fine), so that the last round is seen too.
#pragma once

#include <atomic>
#include <chrono>
#include <utility>

#include "hinge/learning/summary.h"

namespace hinge {

// Ends a run at the first round after that many seconds, counted from this call.
inline Observer time_limit(double seconds, Observer inner = {}) {
  const auto start = std::chrono::steady_clock::now();
  return [=, inner = std::move(inner)](const Progress& progress) {
    const bool go_on = !inner || inner(progress);
    return go_on && std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds;
  };
}

// Ends a run at the first round that finds the flag set, by a signal handler or another thread. The flag must
// outlive the run.
inline Observer stop_when(const std::atomic<bool>& flag, Observer inner = {}) {
  return [&flag, inner = std::move(inner)](const Progress& progress) {
    const bool go_on = !inner || inner(progress);
    return go_on && !flag;
  };
}

// Ends a run when the objective's absolute gap is that small, besides the solver's own relative rule.
inline Observer gap_limit(double gap, Observer inner = {}) {
  return [=, inner = std::move(inner)](const Progress& progress) {
    const bool go_on = !inner || inner(progress);
    return go_on && !(progress.gap() <= gap);
  };
}

}  // namespace hinge
