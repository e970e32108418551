// The task `graph` for the command line and the bindings: graphs in, a label for each node out.
//
//     const GraphRecords records = {[&](GraphBuilder& builder) {
//       builder.feature(builder.node_feature("height"), 0.5);
//       builder.node({.label = "hill"});
//       builder.node({});  // nobody knows its label
//       builder.edge(0, 1, "", false);
//       builder.end_graph("");
//     }};
#pragma once

#include <memory>

#include "hinge/tasks/graph/builder.h"
#include "hinge/tasks/record_task.h"

namespace hinge {

using GraphRecords = RecordSource<GraphBuilder>;

std::unique_ptr<RecordTask<GraphRecords>> make_graph();

}  // namespace hinge
