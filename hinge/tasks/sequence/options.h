// Options of sequence; those of reading are in reader.h.
#pragma once

#include "hinge/tasks/option_lists.h"
#include "hinge/tasks/row_map.h"
#include "hinge/tasks/sequence/reader.h"

namespace hinge {

struct SequenceModel {
  int order = 1;
  int beam = 0;
  int states = 1;
  std::string features = "all";
  bool boundaries = false;
  double bias = 0;
  std::string loss = "count";
  std::vector<std::string> label_costs;
  std::vector<std::string> forbidden, required;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("order", self.order, range::between(1, 3), "how many labels back a transition looks");
    visit("beam", self.beam, range::not_negative,
          "contexts kept at each position at order 2 and 3, so that maxima may be missed; 0: all, exact");
    visit("states", self.states, range::between(1, 1000), "hidden states of each label, at order 1");
    visit("features", self.features, range::one_of({"all", "observed"}),
          "weights for all pairs of attribute and label and of neighbouring labels, or only for those in the "
          "training data (at order 2 and 3 all pairs of neighbouring labels have one)");
    visit("boundaries", self.boundaries, range::any,
          "weights for the first and the last label of a sequence");
    visit("bias", self.bias, range::not_negative,
          "value of one more attribute that every position has; 0: none");
    visit("loss", self.loss, range::one_of({"count", "normalised"}),
          "errors of a sequence: their number, or their share");
    visit("label_costs", self.label_costs, range::any,
          "LABEL:COST of an error on a position with that true label; else 1");
    visit("forbidden", self.forbidden, range::any,
          "FROM>TO: no label TO stands directly behind a label FROM, at order 1");
    visit("required", self.required, range::any,
          "FROM>TO: only labels TO that are named so stand directly behind a label FROM, at order 1");
  }
};

struct SequenceOutput {
  bool marginals = false;
  bool scores = false;
  int nbest = 1;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("marginals", self.marginals, range::any, "after each label, label:probability for every label");
    visit("scores", self.scores, range::any, "above each sequence, the score of its labelling");
    visit("nbest", self.nbest, range::at_least_one,
          "the K best labellings of each sequence, with their scores");
  }
};

struct SequenceOptions {
  SequenceFormat format;
  SequenceModel model;
  KernelOptions kernel;
  SequenceOutput output;

  std::vector<OptionRef> train() { return all_options(format, model, kernel); }
  std::vector<OptionRef> read() { return only({"folds"}, list_options(format)); }
  std::vector<OptionRef> predict() { return list_options(output); }
  std::vector<OptionRef> kept() {
    std::vector<OptionRef> kept = list_options(model);
    for (OptionRef& option : only({"format"}, list_options(format))) kept.push_back(std::move(option));
    return kept;
  }
};

}  // namespace hinge
