// -C auto: which C is best on a tenth of the data that is held out, along a warm-started path on the rest.
#pragma once

#include "cli/held_out.h"
#include "cli/learner.h"
#include "cli/metric.h"

namespace hinge {

// When a path over ascending C, whose values are measured as it goes, has seen enough: after two in a row
// that are worse than the best one. One may be chance, and the larger C is, the more a step costs.
class PathEnd {
 public:
  explicit PathEnd(std::string metric) : name_(std::move(metric)) {}

  // True when it has. Equals of the best are not worse: at small C everything may be given one label.
  bool reached(const nlohmann::json& metrics) {
    const double value = metric(metrics, name_);
    const bool worse = any_ && better(name_, best_, value);
    worse_ = worse ? worse_ + 1 : 0;
    if (!worse) best_ = value;
    any_ = true;
    return worse_ == 2;
  }

 private:
  std::string name_;
  bool any_ = false;
  double best_ = 0;
  int worse_ = 0;
};

struct ChosenC {
  double C = 0;
  std::size_t held_out = 0;          // examples
  std::vector<nlohmann::json> rows;  // summaries with "validation", one a C
  double seconds = 0, cpu_seconds = 0;
  std::size_t oracle_calls = 0;
  std::string stopped;  // a sentence, when the time for it was over
};

// A loss weighs C/n as it will on all the data, which has `examples` examples. Where the monitor's time is
// over before any C was measured, it is the usual one. Throws InputError when Ctrl-C stops it, or when the
// rest of the data cannot be learned from, or the tenth not be measured on.
ChosenC choose_C(const DataSource& source, std::size_t examples, const LearningOptions& options,
                 const std::string& select, const Model& init, const Learner& learner, Monitor& monitor,
                 Executor& executor);

}  // namespace hinge
