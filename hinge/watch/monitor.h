// Watches a training: shows progress, writes the run log, and stops at the time limit or at Ctrl-C. The one
// place that looks at the clock and at signals.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hinge/core/output_file.h"
#include "hinge/training/watch.h"
#include "hinge/watch/checkpoints.h"
#include "hinge/watch/interrupt.h"

namespace hinge {

struct MonitorOptions {
  double time_limit = 0;  // seconds for everything it watches; 0: none
  double target_gap = 0;  // relative, for the estimate; 0: no estimate
  bool quiet = false;
  std::string log = {};                // empty: none
  Observer also = {};                  // told too, and may end it
  Ranks* ranks = nullptr;              // which agree when to stop
  Checkpoints* checkpoints = nullptr;  // one more is written before a signal to terminate ends it
  double spent = 0;                    // seconds of the limit that were over when it began
};

// An observer that prints a line on standard error, once a second at most.
bool show_progress(const Progress& progress);

using GapHistory = std::vector<std::pair<double, double>>;  // seconds, relative gap

// Seconds until the relative gap reaches the target when it goes on falling as it did over the last third of the
// run so far: gap(t) ~ exp(-rate t). Negative when that cannot be said: the rate of the third before was another by
// more than a factor of 2, or the end is more than ten times as far away as the beginning.
double estimate_remaining(const GapHistory& history, double target);

class Monitor final : public Watch {
 public:
  explicit Monitor(MonitorOptions options);
  ~Monitor() override;

  Observer observer(const std::string& label, double C) override;
  void run_ended() override { end_line(); }
  // Ends the live line, if there is one.
  void end_line();
  // Ends the watch; until `release`, signals do not disturb what is written next.
  void finish();
  void release() { interrupt_.release(); }
  // The run log, which is committed with what the run writes; null without.
  OutputFile* log() { return log_ ? &*log_ : nullptr; }

  // Whether a signal to terminate ended it, after a checkpoint that a later run goes on from.
  bool left() const { return stopped_ && options_.checkpoints != nullptr && options_.checkpoints->left(); }
  bool interrupted() const override { return !interrupt_.by().empty() && !left(); }
  std::string stopped() const override;

 private:
  // Whether a run is to end now; from any thread, and lasting.
  bool stops();
  bool wishes();  // the same of this process alone, where there are ranks
  bool watch(const std::string& label, double C, const Progress& progress, GapHistory& history);
  void show(const std::string& label, const Progress& progress, const GapHistory& history);
  double seconds() const;

  MonitorOptions options_;
  Interrupt interrupt_;
  std::optional<OutputFile> log_;
  std::atomic<bool> stopped_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool live_;  // one line, rewritten in place
  bool line_open_ = false;
  double next_show_ = 0;  // seconds
};

}  // namespace hinge
