// Options of graph; those of files are in format.h, those of inference in inference/graph_engine.h.
#pragma once

#include "hinge/inference/graph_engine.h"
#include "hinge/tasks/graph/format.h"
#include "hinge/tasks/option_lists.h"
#include "hinge/tasks/row_map.h"

namespace hinge {

struct GraphModel {
  std::string weights = "shared";
  std::string pairs = "table";
  std::vector<std::string> directed;
  std::string unlabelled = "hidden";
  int hidden_states = 0;
  double bias = 0;
  bool scale = false;
  std::string loss = "count";
  std::vector<std::string> label_costs;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("weights", self.weights, range::one_of({"shared", "position"}),
          "weights that nodes and edges of one type share, or some for each node and edge of graphs that all "
          "have one shape");
    visit("pairs", self.pairs, range::one_of({"table", "agreement"}),
          "weights of an edge's feature: one for each pair of labels, or one for each label that both ends "
          "share, "
          "never negative, so that graphs of two labels are solved exactly by a cut");
    visit("directed", self.directed, range::any,
          "edge types whose pairs of labels have an order, from and to; 'all' for all of them");
    visit("unlabelled_nodes", self.unlabelled, range::one_of({"hidden", "class", "drop"}),
          "a node without a label in training is hidden, has a label of its own ('unlabelled'), or is left "
          "out with its edges");
    visit("hidden_states", self.hidden_states, range::not_negative,
          "states of nodes that are hidden for good and do not say; 0: as many as labels");
    visit("bias", self.bias, range::not_negative,
          "value of one more feature that every node and every edge has; 0: none");
    visit("scale", self.scale, range::any, "divide each feature by the largest value it has in training");
    visit("loss", self.loss, range::one_of({"count", "normalised"}),
          "errors of a graph: their number, or their share");
    visit("label_costs", self.label_costs, range::any,
          "LABEL:COST of an error on a node with that true label; else 1");
  }
};

struct GraphOutput {
  bool marginals = false;
  bool scores = false;
  bool fill = false;
  std::string output_format = "data";

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("marginals", self.marginals, range::any, "probability of each label at each node, in JSON Lines");
    visit("scores", self.scores, range::any, "score of each labelling, in JSON Lines");
    visit("fill", self.fill, range::any,
          "keep the labels that the data has, and predict the others given them");
    visit("output_format", self.output_format, range::one_of({"data", "jsonl"}),
          "write predictions in the data's own format, or as JSON Lines");
  }
};

struct GraphOptions {
  GraphFormatOptions format;
  GraphModel model;
  GraphSettings inference;
  KernelOptions kernel;
  GraphOutput output;

  std::vector<OptionRef> train() { return all_options(format, model, inference, kernel); }
  std::vector<OptionRef> read() { return only({"split"}, list_options(format)); }
  std::vector<OptionRef> predict() { return list_options(output); }
  std::vector<OptionRef> kept() { return without("split", all_options(format, model, inference)); }

  GraphReading reading() const {
    return {.per_position = model.weights == "position",
            .unlabelled = model.unlabelled,
            .directed = format.format == "snakes" ? std::vector<std::string>{"all"} : model.directed,
            .hidden_states = static_cast<std::size_t>(model.hidden_states),
            .bias = model.bias,
            .agreement = model.pairs == "agreement",
            .scale = model.scale,
            .kernel = kernel};
  }
};

}  // namespace hinge
