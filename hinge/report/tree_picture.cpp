#include "hinge/report/tree_picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "hinge/report/svg_text.h"

namespace hinge {
namespace {

constexpr double kFont = 14, kLetter = 8.2, kGap = 14, kRow = 44, kTop = 56, kMargin = 16;

// How many letters UTF-8 text has.
double letters(const std::string& text) {
  return static_cast<double>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string text_at(double x, double y, const std::string& text, const char* style) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, style, svg_text(text));
}

}  // namespace

std::string tree_picture(const SentenceTree& tree, const std::string& title, const SentenceTree* other) {
  const TreeChildren children(tree);
  const std::size_t n = tree.words.size(), count = tree.brackets.size();
  std::vector<double> left(n + 1, kMargin), word(n), x(count), height(count, 1);
  for (std::size_t i = 0; i < n; ++i) {
    const double width = kLetter * std::max(letters(tree.words[i]), letters(tree.tags[i])) + kGap;
    word[i] = left[i] + width / 2;
    left[i + 1] = left[i] + width;
  }
  // A bracket stands one row above the highest of its children, in the middle of the first and the last.
  for (std::size_t b = count; b-- > 0;) {
    const auto place = [&](TreeChildren::Child c) {
      return c < 0 ? word[static_cast<std::size_t>(~c)] : x[static_cast<std::size_t>(c)];
    };
    x[b] = (place(children[b].front()) + place(children[b].back())) / 2;
    for (const TreeChildren::Child c : children[b])
      if (c >= 0) height[b] = std::max(height[b], height[static_cast<std::size_t>(c)] + 1);
  }
  const double width = std::max(left[n] + kMargin, kLetter * letters(title) + 2 * kMargin);
  const double tags = kTop + kRow * height[0], total = tags + kRow + kMargin;
  const auto row = [&](std::size_t b) { return tags - kRow * height[b]; };
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"{2:g}\" text-anchor=\"middle\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      width, total, kFont);
  svg += text_at(width / 2, 20, title, "font-weight=\"bold\"");
  const auto line = [&](double x1, double y1, double x2, double y2) {
    svg += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#888888\"/>\n",
                       x1, y1, x2, y2);
  };
  for (std::size_t b = 0; b < count; ++b)
    for (const TreeChildren::Child c : children[b]) {
      const auto k = static_cast<std::size_t>(c < 0 ? ~c : c);
      line(x[b], row(b) + 5, c < 0 ? word[k] : x[k], (c < 0 ? tags : row(k)) - kFont);
    }
  std::vector<TreeBracket> others;
  if (other != nullptr) others = other->brackets;
  for (std::size_t b = 0; b < count; ++b) {
    const auto found = std::ranges::find(others, tree.brackets[b]);
    const bool lacks = other != nullptr && found == others.end();
    if (found != others.end()) others.erase(found);
    svg += text_at(x[b], row(b), tree.brackets[b].label, lacks ? "fill=\"#d55e00\"" : "fill=\"#0072b2\"");
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (!tree.tags[i].empty()) {
      svg += text_at(word[i], tags, tree.tags[i], "fill=\"#009e73\"");
      line(word[i], tags + 5, word[i], tags + kRow - kFont);
    }
    svg += text_at(word[i], tags + kRow, tree.words[i], "fill=\"black\"");
  }
  return svg + "</svg>\n";
}

}  // namespace hinge
