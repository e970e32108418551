// Lines over two axes as an SVG picture that stands alone.
//
// A point at (x, y) stands at  left + (f(x) − f(low)) / (f(high) − f(low)) · width,  f the identity or the
// logarithm, and the same upwards. Ticks are at round numbers; on a logarithmic axis at powers of ten, or
// between them where there are few.
#pragma once

#include <string>
#include <vector>

namespace hinge {

struct PlotPoint {
  double x = 0, y = 0;
  double error = 0;  // half the length of the bar; none when 0
};

struct PlotLine {
  std::string name;
  std::vector<PlotPoint> points;  // in the order they are joined; one that cannot be shown breaks the line
};

struct PlotFrame {
  std::string title, x_name, y_name;
  bool log_x = false, log_y = false;  // leaves out what is not positive
  double width = 720, height = 440;   // of the picture, in pixels
};

std::string line_plot(const std::vector<PlotLine>& lines, const PlotFrame& frame);

// Round numbers that cover [low, high], about `count` of them, ascending; on a logarithmic axis positive.
std::vector<double> plot_ticks(double low, double high, bool logarithmic, std::size_t count);

}  // namespace hinge
