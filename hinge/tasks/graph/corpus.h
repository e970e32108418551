// Graphs as files gave them, and what is needed to write predictions back in their form.
#pragma once

#include <string>
#include <vector>

#include "hinge/tasks/graph/graph_input.h"
#include "hinge/tasks/graph/schema.h"
#include "hinge/tasks/labels.h"

namespace hinge {

struct GraphCorpus {
  std::vector<GraphInput> inputs;
  std::vector<Labels> labels;
  std::vector<double> weights;
  std::vector<std::string> sources;  // the text of each graph, as its format keeps it

  StringTable unseen_labels;  // those that the schema lacks
  std::size_t nodes = 0, edges = 0;
  std::size_t hidden_nodes = 0;        // for good
  std::size_t unlabelled_nodes = 0;    // others without a label
  std::size_t unseen_label_nodes = 0;  // with a label that the schema lacks
  std::size_t unseen_features = 0;     // occurrences that were dropped
  std::size_t unseen_edges = 0;        // of a kind that the schema lacks: left out
};

// How labels and weights are understood; of no account for what a file looks like.
struct GraphReading {
  bool per_position = false;
  std::string unlabelled = "hidden";       // or "class" or "drop"
  std::vector<std::string> directed = {};  // edge types whose two ends differ; "all"
  std::size_t hidden_states = 0;           // of hidden nodes that do not say; 0: as many as labels
  double bias = 0;                         // value of the constant feature of every node and edge; 0: none
  bool agreement = false;                  // edges weigh equal states alone
  bool scale = false;                      // each feature by its largest value in training
  KernelOptions kernel = {};               // of the features of nodes
};

}  // namespace hinge
