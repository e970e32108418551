// JSON Lines, one graph a line, in columns (see docs/file-formats.md):
//
//     {"features": [[0.5, 1], {"red": 1, "x": 0.2}, ["w=the", "cap"]], "labels": ["sky", null, "grass"],
//      "edges": [[0, 1], [1, 2]], "edge_features": [[0.3], [0.1]], "edge_types": ["right", "down"],
//      "node_types": ["pixel", "pixel", "region"], "states": [3, 3, 2], "hidden": [false, false, true]}
#pragma once

#include "hinge/tasks/graph/format.h"

namespace hinge {

class JsonlFormat final : public GraphFormat {
 public:
  void append(const std::string& source, const GraphAnswer& answer, std::string& out) const override {
    append_json(source, answer, out);
  }
  bool annotates() const override { return true; }

  std::unique_ptr<ExampleCutter> cutter(const std::string& file) const override;

 protected:
  void read_file(const std::string& file, GraphBuilder& builder) const override;
};

}  // namespace hinge
