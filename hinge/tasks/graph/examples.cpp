#include "hinge/tasks/graph/examples.h"

#include <nlohmann/json.hpp>

#include "hinge/tasks/mapped_rows.h"

namespace hinge {

std::unique_ptr<Data> make_examples(const FixedGraph& fixed, GraphCorpus corpus, bool keeps_text) {
  const GraphSchema& schema = fixed.schema();
  nlohmann::json facts = {{"graphs", corpus.inputs.size()},
                          {"nodes", corpus.nodes},
                          {"edges", corpus.edges},
                          {"labels", schema.labels.size()},
                          {"node_features", schema.node_features.size()},
                          {"edge_features", schema.edge_features.size()},
                          {"nodes_hidden_for_good", corpus.hidden_nodes},
                          {"nodes_without_a_label", corpus.unlabelled_nodes},
                          {"nodes_with_a_label_unseen_in_training", corpus.unseen_label_nodes},
                          {"features_unseen_in_training", corpus.unseen_features},
                          {"edges_of_a_kind_unseen_in_training", corpus.unseen_edges}};
  tell_map(schema.node_map.get(), facts);
  std::vector<Example<GraphTask>> made(corpus.inputs.size());
  for (std::size_t i = 0; i < made.size(); ++i)
    made[i] = {std::move(corpus.inputs[i]), std::move(corpus.labels[i]), corpus.weights[i]};
  if (!keeps_text) corpus.sources.clear();
  return std::make_unique<GraphData>(fixed.task(), std::move(made), std::move(facts),
                                     GraphText{std::move(corpus.sources), std::move(corpus.unseen_labels)});
}

}  // namespace hinge
