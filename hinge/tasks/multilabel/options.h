// Options of multilabel; those of inference are in inference/graph_settings.h.
#pragma once

#include "hinge/inference/graph_settings.h"
#include "hinge/tasks/option_lists.h"
#include "hinge/tasks/row_map.h"

namespace hinge {

struct MultilabelModel {
  std::string pairs = "tree";
  double bias = 1;
  std::string loss = "count";

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("pairs", self.pairs, range::one_of({"none", "tree", "all"}),
          "which pairs of labels have weights: none, a tree of the most informative ones, or all of them");
    visit("bias", self.bias, range::not_negative,
          "value of one more feature that every example has; 0: none");
    visit("loss", self.loss, range::one_of({"count", "normalised"}),
          "labels that differ from the true set: their number, or their share");
  }
};

struct MultilabelOutput {
  bool marginals = false;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("marginals", self.marginals, range::any,
          "after each prediction, the probability of every label as label:probability");
  }
};

struct MultilabelOptions {
  MultilabelModel model;
  GraphSettings inference;
  KernelOptions kernel;
  MultilabelOutput output;

  std::vector<OptionRef> train() { return all_options(model, inference, kernel); }
  std::vector<OptionRef> predict() { return list_options(output); }
  std::vector<OptionRef> kept() { return all_options(model, inference); }
};

}  // namespace hinge
