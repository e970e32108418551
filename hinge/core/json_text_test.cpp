#include "hinge/core/json_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

namespace hinge {
namespace {

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(ParseJson, TakesWhatIsNestedAsDeepAsItMayBe) {
  nlohmann::json value;
  EXPECT_EQ(parse_json(nested(kJsonDepth), value), "");
  EXPECT_EQ(json_text(value), nested(kJsonDepth));
}

TEST(ParseJson, RefusesWhatIsDeeper) {
  const std::string sentence = "is JSON nested more than 100 deep: write one flat object a line.";
  nlohmann::json value;
  EXPECT_EQ(parse_json(nested(kJsonDepth + 1), value), sentence);
  EXPECT_EQ(parse_json(nested(100000), value), sentence);
  EXPECT_EQ(parse_json(std::string(100000, '['), value), sentence);
  std::string objects;
  for (int k = 0; k < 100000; ++k) objects += R"({"a":)";
  EXPECT_EQ(parse_json(objects, value), sentence);
  EXPECT_TRUE(value.is_null());
}

TEST(ParseJson, BracketsInStringsAreText) {
  nlohmann::json value;
  const std::string text = "[\"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') + "\\\\\"]";
  EXPECT_EQ(parse_json(text, value), "");
  EXPECT_EQ(json_text(value), text);
  // Many, but never deep.
  std::string flat = "[0";
  for (int k = 0; k < 1000; ++k) flat += ",[]";
  EXPECT_EQ(parse_json(flat + "]", value), "");
}

TEST(ParseJson, SaysWhatIsWrong) {
  nlohmann::json value;
  EXPECT_EQ(parse_json(R"({"a":)", value), "is not JSON, for it ends too early: write one object a line.");
  EXPECT_EQ(parse_json("[1 2]", value), "is not JSON from column 4 on: write one object a line.");
  EXPECT_EQ(parse_json("1e999", value), "has a number that is too large: the largest is about 1.8e308.");
  EXPECT_EQ(parse_json("", value), "is not JSON, for it ends too early: write one object a line.");
}

// A value of random shape comes back from its text, and its depth is what the brackets say.
TEST(ParseJson, AgreesWithTheValueThatWasWritten) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    nlohmann::json value = static_cast<int>(random() % 10);
    const std::size_t depth = random() % 130;
    for (std::size_t d = 0; d < depth; ++d) {
      if (random() % 2 == 0)
        value = nlohmann::json::array({"[{\"\\", std::move(value)});
      else
        value = nlohmann::json{{"]}", std::move(value)}};
    }
    nlohmann::json back;
    EXPECT_EQ(parse_json(json_text(value), back).empty(), depth <= kJsonDepth);
    EXPECT_EQ(back == value, depth <= kJsonDepth);
  }
}

}  // namespace
}  // namespace hinge
