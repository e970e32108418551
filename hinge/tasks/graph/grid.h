// A picture as a graph: a node for each pixel, an edge to each neighbour on the right and below.
//
// A node has the features of its pixel and, on request, those of the 4 or 8 pixels around it, named
// `feature@dx,dy`. An edge is of the type right, down, down-right or down-left.
#pragma once

#include "hinge/tasks/graph/format.h"

namespace hinge {

struct PixelGrid {
  std::size_t width = 0, height = 0;
  std::vector<std::string> names;  // of features
  struct Entry {
    Index name;
    double value;
  };
  std::vector<std::vector<Entry>> pixels;  // row by row
  std::vector<std::string> labels;         // of each; empty when nothing is labelled
};

struct GridOptions {
  int neighbours = 0;  // 0, 4 or 8
  int connect = 4;     // 4 or 8
  std::string edge_features = "constant";
};

// Adds nodes and edges to the builder's present graph.
void add_grid(const PixelGrid& grid, const GridOptions& options, GraphBuilder& builder);

}  // namespace hinge
