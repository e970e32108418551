// Pictures: each file is a grid of pixels. Its labels are the colours of a picture of the same size beside it
// (a.labels.ppm or a.labels.pgm beside a.ppm); without one, no label is known. Predictions are label
// pictures, one after the other.
#pragma once

#include "hinge/tasks/graph/grid.h"

namespace hinge {

class ImageFormat final : public GraphFormat {
 public:
  explicit ImageFormat(const GraphFormatOptions& options);
  void append(const std::string& source, const GraphAnswer& answer, std::string& out) const override;

  std::unique_ptr<ExampleCutter> cutter(const std::string& file) const override;
  bool skips(const std::string& file) const override;  // label pictures
  std::string label_file(const std::string& file) const override;

 protected:
  void read_file(const std::string& file, GraphBuilder& builder) const override;

 private:
  bool colours_;
  GridOptions grid_;
  std::string suffix_, unlabelled_;
};

}  // namespace hinge
