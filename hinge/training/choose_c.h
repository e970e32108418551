// `C` auto: which C is best on a tenth of the data that is held out, along a warm-started path on the rest.
#pragma once

#include "hinge/training/cross_validate.h"

namespace hinge {

// The best C of a path over ascending values that are measured as it goes, and when it has seen enough.
//
// Beyond the usual C a larger one is better where it takes a hundredth off what is lacking, the loss or 1 −
// accuracy; up to the usual C where it is no worse. So of values that are alike the one nearest the usual C
// is kept. The path ends after two values in a row that are worse than the best by a tenth, or from the usual
// C on are no better; and where the solver no longer reaches its goal.
class BestC {
 public:
  BestC(std::string metric, double usual) : name_(std::move(metric)), usual_(usual), C_(usual) {}

  // True when the path goes on.
  bool take(double C, Termination termination, const nlohmann::json& metrics);
  double C() const { return C_; }  // the usual one as long as there is none

 private:
  std::string name_;
  double usual_, C_;
  bool any_ = false, converged_ = false;
  double lacking_ = 0;             // at the best
  int worse_ = 0, no_better_ = 0;  // so many in a row
};

struct ChosenC {
  double C = 0;
  std::size_t held_out = 0;     // examples, or rows of one
  std::vector<JsonValue> rows;  // summaries with "validation", one a C
  double seconds = 0, cpu_seconds = 0;
  std::size_t oracle_calls = 0;
  std::string stopped;  // a sentence, when the time for it was over
};

// Of all that the plan has, a tenth is held out; groups are not split. `problem`: its oracle is that of all,
// and stands for that of the rest. A loss weighs C/n as it will on all the data. Where the watch's time is
// over before any C was measured, it is the usual one. Throws InputError when a person stops it, or when the
// rest of the data cannot be learned from, or the tenth not be measured on.
ChosenC choose_C(const std::string& task, const Problem& problem, const FoldPlan& plan,
                 const std::string& select, const HoldOut& hold_out, Watch& watch);

}  // namespace hinge
