// How good scores of two classes are: every measure of goal.h, as the mean over the samples that have it, and
//
//     accuracy   rows whose score has the right sign / rows with a label
//     loss       1 − the measure that was learned, the mean over samples
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "hinge/tasks/binary/goal.h"

namespace hinge {

class BinaryMetrics {
 public:
  explicit BinaryMetrics(const BinaryGoal& goal) : goal_(goal) {}

  void add(std::span<const double> scores, std::span<const Index> level, std::size_t unlabelled);
  // "samples", "rows", "positives", "unlabelled" besides. A measure that no sample has is left out. Throws
  // InputError when no row has a label.
  nlohmann::json json() const;

 private:
  struct Mean {
    double sum = 0;
    std::size_t samples = 0;
  };
  void count(const char* name, double value);

  BinaryGoal goal_;
  std::map<std::string, Mean> means_;
  std::size_t samples_ = 0, rows_ = 0, positives_ = 0, right_ = 0, unlabelled_ = 0;
};

// The same for people.
std::string binary_report(const nlohmann::json& metrics);

}  // namespace hinge
