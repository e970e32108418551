// The snakes: `split H W channels H W`, then H lines of W pixels `r,g,b`, then H lines of W labels. Lines
// that begin with # are comments. A pixel's feature is its colour.
#pragma once

#include "hinge/tasks/graph/grid.h"

namespace hinge {

class SnakesFormat final : public GraphFormat {
 public:
  // `split` is the part to read, or "all".
  SnakesFormat(std::string split, GridOptions grid) : split_(std::move(split)), grid_(std::move(grid)) {}
  void append(const std::string& source, const GraphAnswer& answer, std::string& out) const override;

  std::unique_ptr<ExampleCutter> cutter(const std::string& file) const override;

 protected:
  void read_file(const std::string& file, GraphBuilder& builder) const override;

 private:
  std::string split_;
  GridOptions grid_;
};

}  // namespace hinge
