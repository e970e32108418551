#include "hinge/report/sequence_logo.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "hinge/report/svg_text.h"

namespace hinge {
namespace {

constexpr double kFilled = 0.92;  // of a column's width, by its letters
constexpr double kColumn = 34, kHeight = 160, kLeft = 52, kTop = 34, kBottom = 30, kRight = 10;
constexpr double kFont = 40, kCapHeight = 0.716,
                 kCapWidth = 0.722;  // of bold Helvetica, in units of its size

// Bases in the usual colours; amino acids by what they are like: polar, basic, acidic, hydrophobic.
const char* colour(char letter, bool dna) {
  constexpr std::string_view green = "GSTYCQN", blue = "KRH", red = "DE";
  if (dna)
    return letter == 'A' ? "#009e73" : letter == 'C' ? "#0072b2" : letter == 'G' ? "#e69f00" : "#d55e00";
  if (green.find(letter) != green.npos) return "#009e73";
  if (blue.find(letter) != blue.npos) return "#0072b2";
  return red.find(letter) != red.npos ? "#d55e00" : "#000000";
}

}  // namespace

double information(const Profile& profile, std::size_t position) {
  const auto size = static_cast<double>(profile.letters.size());
  double bits = std::log2(size);
  for (double p : profile.shares(position, 0))
    if (p > 0) bits += p * std::log2(p);
  if (profile.sites > 0) bits -= (size - 1) / (2 * std::numbers::ln2 * static_cast<double>(profile.sites));
  return profile.sites == 0 ? 0 : std::max(bits, 0.0);
}

std::string sequence_logo(const Profile& profile, const std::string& title) {
  const bool dna = profile.letters.size() == 4;
  const double most = std::log2(static_cast<double>(profile.letters.size()));
  const double width = kLeft + kColumn * static_cast<double>(profile.counts.size()) + kRight;
  const double floor = kTop + kHeight, unit = kHeight / most;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} "
      "{1:g}\" "
      "font-family=\"Helvetica, Arial, sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"{2:g}\" y=\"20\" text-anchor=\"middle\" font-size=\"14\">{3}</text>\n"
      "<line x1=\"{4:g}\" y1=\"{5:g}\" x2=\"{4:g}\" y2=\"{6:g}\" stroke=\"black\"/>\n",
      width, floor + kBottom, width / 2, svg_text(title), kLeft - 4, kTop, floor);
  for (int bits = 0; bits <= most; ++bits)
    svg += fmt::format("<text x=\"{:g}\" y=\"{:.2f}\" text-anchor=\"end\" font-size=\"12\">{}</text>\n",
                       kLeft - 10, floor - bits * unit + 4, bits);
  svg += fmt::format(
      "<text x=\"14\" y=\"{0:g}\" text-anchor=\"middle\" font-size=\"12\" transform=\"rotate(-90 14 "
      "{0:g})\">bits"
      "</text>\n",
      kTop + kHeight / 2);
  for (std::size_t j = 0; j < profile.counts.size(); ++j) {
    const Vector share = profile.sites > 0 ? profile.shares(j, 0) : Vector(profile.letters.size());
    const double bits = information(profile, j), middle = kLeft + kColumn * (static_cast<double>(j) + 0.5);
    std::vector<std::size_t> order(share.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t a) { return share[a]; });
    double base = floor;
    for (const std::size_t a : order) {
      const double height = share[a] * bits * unit;
      if (height < 0.5) continue;
      svg += fmt::format(
          "<text class=\"letter\" transform=\"translate({:.2f} {:.2f}) scale({:.4f} {:.4f})\" "
          "textLength=\"{:g}\" lengthAdjust=\"spacingAndGlyphs\" font-size=\"{:g}\" font-weight=\"bold\" "
          "fill=\"{}\">{}</text>\n",
          middle - kFilled * kColumn / 2, base, kFilled * kColumn / (kFont * kCapWidth),
          height / (kFont * kCapHeight), kFont * kCapWidth, kFont, colour(profile.letters[a], dna),
          profile.letters[a]);
      base -= height;
    }
    svg += fmt::format("<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"middle\" font-size=\"12\">{}</text>\n",
                       middle, floor + 18, j + 1);
  }
  return svg + "</svg>\n";
}

}  // namespace hinge
