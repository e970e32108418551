// What a classifier of two classes should be good at. With P positive rows of n, a of them and b others taken
// for positive, and rows in the order of their scores:
//
//     error              1 − (b + P − a)/n                          the share of right answers
//     f1, fbeta          (1 + β²) a / (a + b + β² P); 1 where nothing is positive, nor taken for it
//     prbep              a/P of the first P rows                    precision = recall, the break-even point
//     precision@k        a/k of the first k rows
//     recall@k           a/P of the first k rows
//     roc-area           the share of pairs (positive, other) in the right order, half for equal scores
//     average-precision  the mean over positive rows of precision up to there
//
// Each of them is 1 at best, and 1 − measure is what is lost.
#pragma once

#include <string>
#include <vector>

#include "hinge/inference/contingency.h"

namespace hinge {

enum class Measure { error, f1, fbeta, prbep, precision, recall, roc_area, average_precision };

// Throws InputError when there is none of that name.
Measure measure_named(const std::string& name);
const std::vector<std::string>& measure_names();

struct BinaryGoal {
  Measure measure = Measure::f1;
  double beta = 1;
  std::size_t at = 10;  // k

  bool pairs() const { return measure == Measure::roc_area; }
  bool rankings() const { return measure == Measure::average_precision; }
  // Of those that look at labellings. The true one is among them at no cost, also where it has not k positives.
  TableMeasure table() const;
  // Whether a sample of so many rows teaches anything.
  bool teaches(std::size_t positives, std::size_t others) const;
};

// The measures of scores, NaN where a sample does not have them: no positive row, or no other.
struct Measured {
  double error, f1, fbeta, prbep, precision, recall, roc_area, average_precision;
  double of(Measure measure) const;
};
Measured measure_scores(const BinaryGoal& goal, std::span<const double> scores, std::span<const Index> level);

}  // namespace hinge
