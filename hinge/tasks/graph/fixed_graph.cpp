#include "hinge/tasks/graph/fixed_graph.h"

namespace hinge {

FixedGraph::FixedGraph(GraphSchema schema, const GraphOptions& options) : schema_(std::move(schema)) {
  make_task(options);
}

FixedGraph::FixedGraph(const Archive& archive, const GraphOptions& options) {
  schema_.load(archive);
  make_task(options);
}

void FixedGraph::require_cuts() const {
  if (!schema_.agreement)
    fail("`maxima` cut needs `pairs` agreement, which keeps edges such that they can be cut.");
  for (const NodeKind& kind : schema_.node_kinds)
    if (kind.states > 2)
      fail("`maxima` cut needs nodes of two labels, but some have {}: use auto, expansion or messages.",
           kind.states);
}

void FixedGraph::make_task(const GraphOptions& options) {
  if (options.inference.maxima == "cut") require_cuts();
  const bool normalised = options.model.loss == "normalised";
  task_ = std::make_shared<const GraphTask>(
      schema_, Hamming::make(normalised, options.model.label_costs, schema_.labels), options.inference);
}

}  // namespace hinge
