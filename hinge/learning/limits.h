// Observers that end a run: by the clock, by a flag, or at a gap. A solver itself never looks at the clock,
// so runs repeat; who wants a deadline puts it into the observer:
//
//     solver->minimize(objective, start, time_limit(60, stop_when(interrupted, show_progress)));
//
// Each tells its inner observer first (an empty one is fine), so that the last round is seen too. The first
// two end a run between two oracle calls, the others after a round.
#pragma once

#include <atomic>
#include <chrono>
#include <utility>

#include "hinge/learning/observer.h"

namespace hinge {

// Ends a run after that many seconds, counted from this call: each worker finishes the oracle call that it is
// in.
inline Observer time_limit(double seconds, const Observer& inner = {}) {
  const auto start = std::chrono::steady_clock::now();
  const auto over = [=] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() >= seconds;
  };
  return inner.and_also([=](const Progress&) { return !over(); }, over);
}

// Ends a run when it finds the flag set, by a signal handler or another thread, in the same way. The flag
// must outlive the run.
inline Observer stop_when(const std::atomic<bool>& flag, const Observer& inner = {}) {
  return inner.and_also([&flag](const Progress&) { return !flag; }, [&flag] { return flag.load(); });
}
Observer stop_when(const std::atomic<bool>&& flag, const Observer& inner = {}) = delete;

// Ends a run when the objective's certified gap is that small, besides the solver's own relative rule.
inline Observer gap_limit(double gap, const Observer& inner = {}) {
  return inner.and_also([=](const Progress& progress) { return !(progress.gap() <= gap); })
      .content_with(gap, 0);
}

// The same of the gap as a share of the primal.
inline Observer relative_gap_limit(double share, const Observer& inner = {}) {
  return inner.and_also([=](const Progress& progress) { return !(progress.relative_gap() <= share); })
      .content_with(0, share);
}

}  // namespace hinge
