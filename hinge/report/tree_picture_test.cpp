#include "hinge/report/tree_picture.h"

#include <gtest/gtest.h>

#include <regex>

namespace hinge {
namespace {

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(TreePicture, ShowsEveryBracketTagAndWord) {
  const SentenceTree tree{
      {"the", "<dog>", "barks"}, {"DT", "NN", ""}, {{"ROOT", 0, 3}, {"S", 0, 3}, {"NP", 0, 2}, {"VP", 2, 3}}};
  SentenceTree other = tree;
  other.brackets[2].label = "X";
  const std::string svg = tree_picture(tree, "a & b", &other);
  for (const char* text : {">the<", ">&lt;dog&gt;<", ">barks<", ">DT<", ">NN<", ">S<", ">VP<", ">a &amp; b<"})
    EXPECT_EQ(count(svg, text), 1) << text;
  EXPECT_EQ(count(svg, "fill=\"#d55e00\">NP<"), 1);  // which the other lacks
  EXPECT_EQ(count(svg, "#d55e00"), 1);
  EXPECT_EQ(count(tree_picture(tree, ""), "#d55e00"), 0);
  EXPECT_EQ(count(svg, "<line"), 6 + 2);  // to each child, and from two tags to their words
  // A bracket is above what it holds.
  const auto height = [&](const std::string& label) {
    std::smatch match;
    EXPECT_TRUE(std::regex_search(svg, match, std::regex("y=\"([0-9.]+)\" [^>]*>" + label + "<")));
    return std::stod(match[1]);
  };
  EXPECT_LT(height("ROOT"), height("S"));
  EXPECT_LT(height("S"), height("NP"));
  EXPECT_LT(height("NP"), height("DT"));
  EXPECT_LT(height("DT"), height("the"));
}

}  // namespace
}  // namespace hinge
