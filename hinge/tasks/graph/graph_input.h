// One graph to label: its shape, features of nodes and edges, and what kind each of them is.
#pragma once

#include <memory>
#include <vector>

#include "hinge/inference/graph.h"
#include "hinge/tasks/feature_rows.h"

namespace hinge {

struct GraphInput {
  std::shared_ptr<const Graph> shape;  // graphs of one shape share it, and what inference works out about it
  FeatureRows nodes, edges;            // a row for each
  std::vector<Index> node_kind, edge_kind;  // into the kinds of the schema (see schema.h)
};

}  // namespace hinge
