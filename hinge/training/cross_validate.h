// Settings compared on data that is held out, fold by fold: each fold once, a warm-started path of C on the
// rest, measured on the fold. A loss weighs C/n in every fold, n being the number of all examples, so that
// the C that is best means the same for all the data.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hinge/training/held_out.h"
#include "hinge/training/path.h"

namespace hinge {

struct Estimate {
  double mean = 0, standard_error = 0;
};
Estimate estimate(const std::vector<double>& values);

// Of one C: each metric's value a fold. What some fold lacks is left out.
using FoldMetrics = std::map<std::string, std::vector<double>>;

struct CrossValidation {
  std::map<double, FoldMetrics> at;  // by C
  bool complete = false;             // false: the watch stopped it before every fold was done

  // The C with the best mean of the metric; of several the smallest.
  double best(const std::string& metric) const;
};

struct FoldPlan {
  std::size_t examples = 0, folds = 5;  // or rows of one example, of which a part can be held out too
  std::vector<double> values = {};      // of C, ascending
  std::string label = {};               // what the lines of all runs begin with
  // The number of each example's group, from 0 on; groups are not split. Empty: each is one of its own.
  std::vector<std::size_t> groups = {};

  std::size_t most_folds() const;
  Folds draw(std::size_t count, std::uint64_t seed) const;
};

// Makes the solver that a fold's rest is trained with.
using SolverFor = std::function<std::unique_ptr<Solver>(const Oracle& oracle)>;

CrossValidation cross_validate(const FoldPlan& plan, const TrainingOptions& options, const HoldOut& hold_out,
                               const SolverFor& solver, Executor& executor, Watch& watch);

}  // namespace hinge
