// Options of binary.
#pragma once

#include "hinge/tasks/binary/goal.h"
#include "hinge/tasks/input_kernel.h"
#include "hinge/tasks/option_lists.h"

namespace hinge {

struct BinaryTraining {
  std::string measure = "f1";
  double beta = 1;
  int at = 10;
  std::string positive;
  double bias = 1;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("measure", self.measure, range::one_of(measure_names()), "what a good classifier is");
    visit("beta", self.beta, positive_number(), "fbeta: how much more recall counts than precision");
    visit("at", self.at, range::between(1, 1e9), "k: rows that precision@k and recall@k look at");
    visit("positive", self.positive, range::any,
          "the positive class, all others being negative; without it, the second of two classes in order");
    visit("bias", self.bias, range::not_negative, "value of one more feature that every row has; 0: none");
  }
  static Range positive_number() { return range::between(1e-3, 1e3); }

  BinaryGoal goal() const { return {measure_named(measure), beta, static_cast<std::size_t>(at)}; }
};

struct BinaryOutput {
  bool scores = false;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("scores", self.scores, range::any,
          "after each prediction, its score, which is above 0 for the positive class");
  }
};

struct BinaryOptions {
  BinaryTraining training;
  InputKernel kernel;
  BinaryOutput output;

  std::vector<OptionRef> train() { return all_options(training, kernel); }
  std::vector<OptionRef> predict() { return list_options(output); }
  std::vector<OptionRef> kept() { return only({"measure", "beta", "at"}, list_options(training)); }
};

}  // namespace hinge
