// Files of graphs that ranks share.
#pragma once

#include "hinge/tasks/graph/any_graph.h"
#include "hinge/tasks/graph/options.h"
#include "hinge/tasks/share_files.h"

namespace hinge {

struct GraphShare {
  FileShare share;
  GraphRecords records;  // this rank's
};

// See share_files.
GraphShare share_graphs(const std::vector<std::string>& files, const GraphOptions& options, Ranks& ranks,
                        std::size_t shards);

}  // namespace hinge
