#include "hinge/report/picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "hinge/report/svg_text.h"
#include "hinge/report/tree_picture.h"

namespace hinge {
namespace {

constexpr double kLetter = 12, kLine = 18, kMargin = 14;
constexpr std::size_t kColumns = 60;  // of an alignment, in a line
constexpr const char* kAnswer = "#0072b2";
constexpr const char* kTruth = "#d55e00";

std::string begin(double width, double height, const std::string& title) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} "
      "{1:g}\" "
      "font-family=\"monospace\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"{2:g}\" y=\"20\" font-size=\"14\" font-family=\"Helvetica, Arial, sans-serif\">{3}</text>\n",
      width, height, kMargin, svg_text(title));
}

std::string letter(double x, double y, char c) {
  return fmt::format("<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"middle\" font-size=\"14\">{}</text>\n", x, y,
                     svg_text(std::string_view(&c, 1)));
}

}  // namespace

std::string alignment_picture(const AlignmentView& view) {
  const std::size_t columns = view.row1.size(),
                    lines = std::max<std::size_t>(1, (columns + kColumns - 1) / kColumns);
  const double width =
      2 * kMargin + kLetter * static_cast<double>(std::clamp<std::size_t>(columns, 30, kColumns));
  std::string svg = begin(width, 40 + 3 * kLine * static_cast<double>(lines),
                          fmt::format("{} and {}", view.name1, view.name2));
  for (std::size_t c = 0; c < columns; ++c) {
    const double x = kMargin + kLetter * (static_cast<double>(c % kColumns) + 0.5);
    const double y = 40 + 3 * kLine * static_cast<double>(c / kColumns);
    if (view.confidence[c] > 0)
      svg += fmt::format(
          "<rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" fill=\"{}\" "
          "fill-opacity=\"{:.2f}\"/>\n",
          x - kLetter / 2, y - 2, kLetter, 2 * kLine, kAnswer, 0.7 * view.confidence[c]);
    svg += letter(x, y + 12, view.row1[c]);
    svg += letter(x, y + 12 + kLine, view.row2[c]);
  }
  return svg + "</svg>\n";
}

std::string arc_picture(const ArcView& view) {
  const auto reach = [](const std::vector<ArcView::Arc>& arcs) {
    std::size_t most = 0;
    for (const ArcView::Arc& arc : arcs) most = std::max(most, arc.to - arc.from);
    return kLetter * static_cast<double>(most) / 2;
  };
  const double above = reach(view.answer), below = reach(view.truth), floor = 40 + above;
  const double width =
      2 * kMargin + kLetter * static_cast<double>(std::max<std::size_t>(view.letters.size(), 30));
  std::string svg = begin(width, floor + kLine + below + kMargin, view.name);
  const auto place = [](std::size_t i) { return kMargin + kLetter * (static_cast<double>(i) + 0.5); };
  const auto draw = [&](const std::vector<ArcView::Arc>& arcs, bool up) {
    for (const auto& [from, to, probability] : arcs) {
      const double radius = (place(to) - place(from)) / 2, y = up ? floor : floor + kLine;
      svg += fmt::format(
          "<path d=\"M{:g} {:g} A{:g} {:g} 0 0 {} {:g} {:g}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" "
          "stroke-opacity=\"{:.2f}\"/>\n",
          place(from), y, radius, radius, up ? 1 : 0, place(to), y, up ? kAnswer : kTruth,
          0.15 + 0.85 * probability);
    }
  };
  draw(view.answer, true);
  draw(view.truth, false);
  for (std::size_t i = 0; i < view.letters.size(); ++i) svg += letter(place(i), floor + 13, view.letters[i]);
  return svg + "</svg>\n";
}

std::string picture_of(const View& view) {
  struct Draw {
    std::string operator()(const AlignmentView& v) const { return alignment_picture(v); }
    std::string operator()(const ArcView& v) const { return arc_picture(v); }
    std::string operator()(const TreeView& v) const {
      return tree_picture(v.answer, v.name, v.truth.complete() ? &v.truth : nullptr);
    }
  };
  return std::visit(Draw(), view);
}

}  // namespace hinge
