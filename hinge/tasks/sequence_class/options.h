// Options of sequence-class.
#pragma once

#include "hinge/tasks/class_columns.h"
#include "hinge/tasks/option_lists.h"
#include "hinge/tasks/row_map.h"
#include "hinge/tasks/sequence_class/preparation.h"

namespace hinge {

struct FramesPart {
  std::string split;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("split", self.split, range::any,
          "read the sequences of this split only, such as train or test (all)");
  }
};

struct SequenceClassModel {
  int states = 4;
  std::string state_features = "shared";
  int window = 0;
  bool standardise = true;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("states", self.states, range::between(1, 1000), "hidden states of the chain");
    visit("state_features", self.state_features, range::one_of({"shared", "class"}),
          "all classes share the states and differ in how they use them, or each has its own");
    visit("window", self.window, range::between(0, Preparation::kMaxWindow),
          "neighbouring frames on either side that a state looks at");
    visit("standardise", self.standardise, range::any,
          "shift and scale each channel to mean 0 and variance 1 over the training data");
  }
};

struct SequenceClassOptions {
  FramesPart part;
  SequenceClassModel model;
  KernelOptions kernel;
  ClassColumns columns;

  std::vector<OptionRef> train() { return all_options(part, model, kernel); }
  std::vector<OptionRef> read() { return list_options(part); }
  std::vector<OptionRef> predict() { return list_options(columns); }
  std::vector<OptionRef> kept() { return only({"states", "state_features"}, list_options(model)); }
};

}  // namespace hinge
