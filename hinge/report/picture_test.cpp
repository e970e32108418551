#include "hinge/report/picture.h"

#include <gtest/gtest.h>

namespace hinge {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Picture, ShowsEveryColumnOfAnAlignment) {
  const std::string svg = picture_of(AlignmentView{"a<b", "c", "AC-", "A-W", {0.5, 0, 0}});
  EXPECT_EQ(count(svg, "<rect"), 2u);  // the page, and one pair
  EXPECT_EQ(count(svg, "fill-opacity=\"0.35\""), 1u);
  EXPECT_EQ(count(svg, "text-anchor"), 6u);
  EXPECT_NE(svg.find("a&lt;b and c"), std::string::npos);
}

TEST(Picture, ShowsEveryArc) {
  const std::string svg = picture_of(ArcView{"x", "GAAAC", {{0, 4, 1}}, {{0, 4, 1}, {1, 3, 1}}});
  EXPECT_EQ(count(svg, "<path"), 3u);
  EXPECT_EQ(count(svg, "text-anchor"), 5u);
  EXPECT_EQ(count(svg, "#d55e00"), 2u);
}

}  // namespace
}  // namespace hinge
