// Superpixel graphs as text: `I name width height nodes edges`, then `label i:v ...` for each node (−1: no
// label), then `i j v ...` for each edge, whose values are its features.
#pragma once

#include "hinge/tasks/graph/format.h"

namespace hinge {

class MsrcFormat final : public GraphFormat {
 public:
  void append(const std::string& source, const GraphAnswer& answer, std::string& out) const override;

  std::unique_ptr<ExampleCutter> cutter(const std::string& file) const override;

 protected:
  void read_file(const std::string& file, GraphBuilder& builder) const override;
};

}  // namespace hinge
