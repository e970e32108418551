#include "hinge/report/line_plot.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hinge {
namespace {

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

struct Pixel {
  double x, y;
};
// The number behind `name="` in an element's text.
double attribute(const std::string& element, const std::string& name) {
  const std::size_t at = element.find(" " + name + "=\"");
  return at == std::string::npos ? NAN : std::stod(element.substr(at + name.size() + 3));
}
// The elements that begin so.
std::vector<std::string> elements(const std::string& svg, const std::string& begin) {
  std::vector<std::string> found;
  for (std::size_t at = svg.find(begin); at != std::string::npos; at = svg.find(begin, at + 1))
    found.push_back(svg.substr(at, svg.find('>', at) - at));
  return found;
}
std::vector<Pixel> circles(const std::string& svg) {
  std::vector<Pixel> found;
  for (const std::string& circle : elements(svg, "<circle"))
    found.push_back({attribute(circle, "cx"), attribute(circle, "cy")});
  return found;
}

TEST(LinePlot, PlacesPointsInProportion) {
  const auto at = circles(line_plot({{"a", {{0, 0}, {2, 10}, {8, 5}}}}, {}));
  ASSERT_EQ(at.size(), 3u);
  EXPECT_NEAR((at[1].x - at[0].x) / (at[2].x - at[0].x), 0.25, 1e-3);
  EXPECT_NEAR((at[0].y - at[2].y) / (at[0].y - at[1].y), 0.5, 1e-3);
  EXPECT_GT(at[0].y, at[1].y);  // upwards
}

TEST(LinePlot, ALogarithmicAxisPlacesRatios) {
  PlotFrame frame;
  frame.log_x = frame.log_y = true;
  const auto at = circles(line_plot({{"a", {{1, 1e-4}, {10, 1e-3}, {100, 1}}}}, frame));
  ASSERT_EQ(at.size(), 3u);
  EXPECT_NEAR((at[1].x - at[0].x) / (at[2].x - at[0].x), 0.5, 1e-3);
  EXPECT_NEAR((at[0].y - at[1].y) / (at[0].y - at[2].y), 0.25, 1e-3);
}

TEST(LinePlot, BreaksALineWhereAPointCannotBeShown) {
  PlotFrame frame;
  frame.log_y = true;
  const std::string svg = line_plot({{"a", {{0, 1}, {1, NAN}, {2, 3}, {3, 0}, {4, 2}, {5, 1}}}}, frame);
  EXPECT_EQ(circles(svg).size(), 4u);
  EXPECT_EQ(count(svg, "M"), 3u);  // each piece begins anew
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(LinePlot, ErrorBarsLieInside) {
  const std::string svg = line_plot({{"a", {{1, 5, 2}, {2, 5, 0}}}}, {});
  EXPECT_EQ(count(svg, "stroke=\"#0072b2\"/>"), 2u);  // one bar, one mark of the legend
  for (const std::string& line : elements(svg, "<line"))
    if (line.find("#0072b2") != std::string::npos && attribute(line, "x1") == attribute(line, "x2")) {
      EXPECT_GT(attribute(line, "y1"), attribute(line, "y2"));
      EXPECT_GE(attribute(line, "y2"), 40);
    }
}

TEST(LinePlot, AcceptsNothingAndOnePoint) {
  EXPECT_NE(line_plot({}, {}).find("</svg>"), std::string::npos);
  EXPECT_NE(line_plot({{"empty", {}}}, {}).find("empty"), std::string::npos);
  const auto at = circles(line_plot({{"a", {{3, 7}}}}, {}));
  ASSERT_EQ(at.size(), 1u);
  EXPECT_TRUE(std::isfinite(at[0].x) && std::isfinite(at[0].y));
}

TEST(LinePlot, EscapesNames) {
  PlotFrame frame;
  frame.title = "a < b & c";
  EXPECT_NE(line_plot({{"\"x\"", {}}}, frame).find("a &lt; b &amp; c"), std::string::npos);
}

TEST(PlotTicks, AreRoundAndCover) {
  EXPECT_EQ(plot_ticks(0, 10, false, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(plot_ticks(1, 1000, true, 7), (std::vector<double>{1, 10, 100, 1000}));
  for (const auto& [low, high] : {std::pair(0.31, 0.97), {-5.0, 12345.0}, {1e-7, 2e-7}})
    for (std::size_t wanted : {3u, 7u}) {
      const auto ticks = plot_ticks(low, high, false, wanted);
      EXPECT_LE(ticks.front(), low);
      EXPECT_GE(ticks.back(), high);
      EXPECT_LE(ticks.size(), wanted + 3);
    }
  for (const auto& [low, high] : {std::pair(3e-5, 0.2), {4.0, 1024.0}, {0.5, 0.9}}) {
    const auto ticks = plot_ticks(low, high, true, 6);
    EXPECT_LE(ticks.front(), low);
    EXPECT_GE(ticks.back(), high);
    EXPECT_GE(ticks.size(), 2u);
  }
}

}  // namespace
}  // namespace hinge
