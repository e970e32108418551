// How good predicted labels of graphs are.
//
//     accuracy             right labels / nodes with a known label
//     mean_class_accuracy  the mean over labels of: right labels / nodes with that label
//     graph_accuracy       graphs without an error / graphs with a known label
//     loss                 mean of the loss of each graph
//
// Nodes without a known label, hidden ones among them, are not counted. A label that training has not seen is
// an error.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "hinge/inference/answer.h"
#include "hinge/tasks/confusion.h"
#include "hinge/tasks/graph/corpus.h"

namespace hinge {

class GraphMetrics {
 public:
  explicit GraphMetrics(std::size_t labels) : labels_(labels) {}

  // Counts what was predicted for a graph with these labels, and how inference came to it.
  void add(const Labels& truth, const Assignment& predicted, double loss, const Answer& answer);

  // The above, "graphs", "nodes" (with a known label), "errors", "unlabelled_nodes", "unseen_label_nodes",
  // "approximate" and "unconverged" (graphs whose prediction is not the proven maximum, or of an iteration
  // that met its limit), and what Confusion writes. Throws InputError when no label is known.
  nlohmann::json json(const GraphSchema& schema, const StringTable& unseen_labels) const;

 private:
  std::size_t labels_;
  Confusion confusion_;
  double loss_ = 0;
  std::size_t graphs_ = 0, nodes_ = 0, errors_ = 0, unlabelled_ = 0, unseen_ = 0;
  std::size_t labelled_graphs_ = 0, right_graphs_ = 0, approximate_ = 0, unconverged_ = 0;
};

// The same for people.
std::string graph_report(const nlohmann::json& metrics);

}  // namespace hinge
