#include "hinge/core/spelling.h"

#include <gtest/gtest.h>

namespace hinge {
namespace {

TEST(Spelling, CountsEdits) {
  EXPECT_EQ(edits_between("", ""), 0u);
  EXPECT_EQ(edits_between("", "abc"), 3u);
  EXPECT_EQ(edits_between("kernel", "kernell"), 1u);
  EXPECT_EQ(edits_between("train", "trian"), 1u);
  EXPECT_EQ(edits_between("kitten", "sitting"), 3u);
  EXPECT_EQ(edits_between("ca", "abc"), 3u);  // nothing goes between letters that changed places
}

TEST(Spelling, FindsTheNearestWord) {
  const std::vector<std::string> flags = {"--data", "--model", "--max-passes", "--max-rounds", "-C"};
  EXPECT_EQ(nearest_word("--mdoel", flags), "--model");
  EXPECT_EQ(nearest_word("-model", flags), "--model");
  EXPECT_EQ(nearest_word("--maxpasses", flags), "--max-passes");
  EXPECT_EQ(nearest_word("--max-rouns", flags), "--max-rounds");
  EXPECT_EQ(nearest_word("--date", flags), "--data");
  EXPECT_EQ(nearest_word("--dote", flags), "");  // two of four letters
  EXPECT_EQ(nearest_word("-c", flags), "-C");
  EXPECT_EQ(nearest_word("-q", flags), "");
  EXPECT_EQ(nearest_word("", flags), "");
  EXPECT_EQ(nearest_word("--", flags), "");
  EXPECT_EQ(nearest_word("--verbose", flags), "");
}

TEST(Spelling, AsksWhatWasMeant) {
  EXPECT_EQ(did_you_mean("sequnce", {"rank", "sequence", "sequence-class"}), " (did you mean sequence?)");
  EXPECT_EQ(did_you_mean("tree", {"rank", "sequence"}), "");
}

}  // namespace
}  // namespace hinge
