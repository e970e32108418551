// The public property test of an oracle. At random weights w, w' of several scales it asks every query that
// the oracle serves and checks
//
//     plane(w) = f(w)                    the plane touches
//     plane(w') ≤ f(w')                  and lies below everywhere else
//     <slope, d> = f'(w; d)              by central differences, where f is smooth or its winner unique near w
//     0 ≤ f_τ(w) − f_0(w) ≤ τ log N      the temperature tends to the maximum over the N structures
//     excess(w) = free(w) − clamped(w) ≥ 0
//     add_support pours the slope of support
//     max over all_planes = f(w), where the oracle lists them
//     its parts (parts.h), where it has any, give the same value and slope at w
//
// Equal means within 1e-12 of the sizes of the numbers added; differences carry their own error estimate.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hinge/core/options.h"
#include "hinge/oracle/oracle.h"

namespace hinge {

struct CheckOptions {
  int examples = 20;
  int repeats = 2;
  double max_work = 2e9;
  double max_structures = 2000;
  int max_failures = 20;
  std::uint64_t seed = 1;
  // Told what share is done, between oracle calls; false ends the check. Empty: nobody watches.
  std::function<bool(double done)> watch = {};

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("examples", self.examples, range::at_least_one, "check this many examples, spread over the data");
    visit("max_work", self.max_work, range::not_negative,
          "check fewer where that would take more multiplications than this (0: never)");
    visit("repeats", self.repeats, range::at_least_one, "random weights of each scale");
    visit("max_structures", self.max_structures, range::not_negative,
          "compare with enumeration where there are at most this many structures");
    visit("max_failures", self.max_failures, range::at_least_one, "stop after this many failures");
    visit("seed", self.seed, range::any, "of the random weights");
  }
};

struct CheckReport {
  std::vector<std::string> failures;  // a sentence each: example, query, property, numbers
  std::vector<std::string> skipped;   // a sentence each: what was not checked, and why
  std::size_t comparisons = 0;
  double done = 1;  // less where `watch` ended it

  bool passed() const { return failures.empty(); }
  std::string text() const;  // failures, then what was skipped, a line each; empty when there is neither
};

CheckReport check_oracle(const Oracle& oracle, const CheckOptions& options = {});

// What check_oracle and check_task share.
namespace checking {

// The queries the oracle serves of {free, clamped, excess} × {loss weight 0, 1} × {temperature 0, 0.3, 1}, of
// free with two temperatures, and slack rescaling.
std::vector<Query> served_queries(const Oracle& oracle);
std::string to_string(const Query& query);
int rounds(const CheckOptions& options);  // over the examples, at weights of one scale each
// The examples to check, spread over the data: so many as `options` asks for and max_work allows, and one at
// least. Says in `report` when it is fewer.
std::vector<std::size_t> sample(const Oracle& oracle, const CheckOptions& options, CheckReport& report);
// Standard normal weights times scale.
Vector random_weights(Index dimension, double scale, std::uint64_t seed);
// |offset| + Σ_k |slope_k w_k|: the size of the numbers that were added.
double magnitude(const Plane& plane, Weights w);

class Recorder {
 public:
  // `steps`: how many calls of `step` are to come.
  Recorder(const CheckOptions& options, std::size_t steps) : options_(options), steps_(steps) {}
  // Counts a comparison; when it does not hold (or a number is NaN), `sentence()` is kept.
  template <class Sentence>
  void expect(bool holds, Sentence&& sentence) {
    ++report_.comparisons;
    if (!holds && !full()) report_.failures.push_back(sentence());
  }
  bool full() const { return report_.failures.size() >= static_cast<std::size_t>(options_.max_failures); }
  // Whether to go on: there is room for failures, and nobody ended the check.
  bool goes_on() {
    report_.done = static_cast<double>(step_) / static_cast<double>(std::max<std::size_t>(steps_, 1));
    ended_ = ended_ || (options_.watch && !options_.watch(report_.done));
    return !ended_ && !full();
  }
  void step() { ++step_; }
  CheckReport& report() { return report_; }
  CheckReport take() {
    if (!ended_) report_.done = 1;
    return std::move(report_);
  }

 private:
  CheckOptions options_;
  std::size_t steps_, step_ = 0;
  bool ended_ = false;
  CheckReport report_;
};

inline constexpr double kScales[] = {0, 0.1, 1, 10};
inline constexpr double kTemperatures[] = {0, 0.3, 1};
inline constexpr double kRelative = 1e-12;

}  // namespace checking
}  // namespace hinge
