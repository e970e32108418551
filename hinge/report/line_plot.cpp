#include "hinge/report/line_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "hinge/report/svg_text.h"

namespace hinge {
namespace {

// Okabe & Ito's colours, which people with any colour vision can tell apart.
constexpr std::array kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"};
constexpr double kLeft = 74, kTop = 40, kBottom = 54, kLegend = 150, kMargin = 12;

// One direction of the picture: numbers to pixels.
class Axis {
 public:
  Axis(bool logarithmic, double begin, double end) : logarithmic_(logarithmic), begin_(begin), end_(end) {}

  bool shows(double v) const { return std::isfinite(v) && (!logarithmic_ || v > 0); }
  void include(double v) {
    if (!shows(v)) return;
    low_ = std::min(low_, v);
    high_ = std::max(high_, v);
  }
  // Rounds the range to ticks.
  void settle(std::size_t count) {
    if (!(low_ <= high_)) low_ = high_ = 1;  // nothing to show
    if (low_ == high_) {
      const double room = logarithmic_ ? 0 : std::max(0.5 * std::abs(low_), 0.5);
      low_ = logarithmic_ ? low_ / 2 : low_ - room;
      high_ = logarithmic_ ? high_ * 2 : high_ + room;
    }
    ticks_ = plot_ticks(low_, high_, logarithmic_, count);
    low_ = std::min(low_, ticks_.front());
    high_ = std::max(high_, ticks_.back());
  }
  const std::vector<double>& ticks() const { return ticks_; }
  double at(double v) const { return begin_ + (f(v) - f(low_)) / (f(high_) - f(low_)) * (end_ - begin_); }

 private:
  double f(double v) const { return logarithmic_ ? std::log10(v) : v; }

  bool logarithmic_;
  double begin_, end_;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_;
  std::vector<double> ticks_;
};

std::string text_at(double x, double y, const char* anchor, const std::string& text, const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                     svg_text(text));
}

std::string segment(double x1, double y1, double x2, double y2, const char* colour) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1,
                     y1, x2, y2, colour);
}

std::string draw(const PlotLine& line, const char* colour, const Axis& x, const Axis& y) {
  std::string body, path;
  bool pen_down = false;
  for (const PlotPoint& p : line.points) {
    if (!x.shows(p.x) || !y.shows(p.y)) {
      pen_down = false;
      continue;
    }
    path += fmt::format("{}{:.1f} {:.1f}", pen_down ? " L" : " M", x.at(p.x), y.at(p.y));
    pen_down = true;
    if (p.error > 0 && y.shows(p.y - p.error))
      body += segment(x.at(p.x), y.at(p.y - p.error), x.at(p.x), y.at(p.y + p.error), colour);
    if (line.points.size() <= 40)
      body += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"/>\n", x.at(p.x),
                          y.at(p.y), colour);
  }
  if (!path.empty())
    body += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n", path.substr(1),
                        colour);
  return body;
}

}  // namespace

std::vector<double> plot_ticks(double low, double high, bool logarithmic, std::size_t count) {
  std::vector<double> ticks;
  if (logarithmic) {
    const double decades = std::log10(high / low);
    const int step = std::max(1, static_cast<int>(std::ceil(decades / static_cast<double>(count))));
    const std::vector<double> parts = decades < 2 ? std::vector<double>{1, 2, 5} : std::vector<double>{1};
    const int first = static_cast<int>(std::floor(std::log10(low))),
              last = static_cast<int>(std::ceil(std::log10(high)));
    for (int e = first; e <= last; e += step)
      for (double part : parts) ticks.push_back(part * std::pow(10.0, e));
    while (ticks.size() > 2 && ticks[1] <= low) ticks.erase(ticks.begin());
    while (ticks.size() > 2 && ticks[ticks.size() - 2] >= high) ticks.pop_back();
    return ticks;
  }
  const double rough = (high - low) / static_cast<double>(count);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (double part : {5.0, 2.0, 1.0})
    if (part * power >= rough) step = part * power;
  const double first = std::floor(low / step), last = std::ceil(high / step);
  for (double k = first; k <= last; ++k) ticks.push_back(k * step);
  return ticks;
}

std::string line_plot(const std::vector<PlotLine>& lines, const PlotFrame& frame) {
  const double right = frame.width - kLegend, bottom = frame.height - kBottom;
  Axis x(frame.log_x, kLeft, right), y(frame.log_y, bottom, kTop);
  for (const PlotLine& line : lines)
    for (const PlotPoint& p : line.points) {
      if (!x.shows(p.x) || !y.shows(p.y)) continue;
      x.include(p.x);
      for (double v : {p.y - p.error, p.y, p.y + p.error}) y.include(v);
    }
  x.settle(7);
  y.settle(6);

  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" "
      "height=\"{1:g}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      frame.width, frame.height);
  svg += text_at((kLeft + right) / 2, kTop - 16, "middle", frame.title, " font-size=\"14\"");
  for (double tick : x.ticks()) {
    svg += segment(x.at(tick), bottom, x.at(tick), kTop, "#e5e5e5");
    svg += text_at(x.at(tick), bottom + 18, "middle", fmt::format("{:g}", tick));
  }
  for (double tick : y.ticks()) {
    svg += segment(kLeft, y.at(tick), right, y.at(tick), "#e5e5e5");
    svg += text_at(kLeft - 6, y.at(tick) + 4, "end", fmt::format("{:.6g}", tick));
  }
  svg += text_at((kLeft + right) / 2, frame.height - 12, "middle", frame.x_name);
  svg += text_at(0, 0, "middle", frame.y_name,
                 fmt::format(" transform=\"translate(16 {:.1f}) rotate(-90)\"", (kTop + bottom) / 2).c_str());
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const char* colour = kColours[k % kColours.size()];
    svg += draw(lines[k], colour, x, y);
    const double level = kTop + kMargin + 18 * static_cast<double>(k);
    svg += segment(right + kMargin, level, right + 3 * kMargin, level, colour);
    svg += text_at(right + 3.5 * kMargin, level + 4, "start", lines[k].name);
  }
  return svg + "</svg>\n";
}

}  // namespace hinge
