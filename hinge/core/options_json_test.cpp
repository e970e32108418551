#include "hinge/core/options_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hinge {
namespace {

struct Everything {
  bool flag = false;
  int count = 3;
  std::uint64_t seed = 1;
  double gap = 1e-3;
  std::string word = "count";
  std::vector<std::string> words = {"a", "b"};
  std::vector<double> numbers = {1, 2};

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("flag", self.flag, range::any, "a flag");
    visit("count", self.count, range::at_least_one, "a count");
    visit("seed", self.seed, range::any, "a seed");
    visit("gap", self.gap, range::positive, "a gap");
    visit("word", self.word, range::one_of({"count", "normalised"}), "a word");
    visit("words", self.words, range::any, "words");
    visit("numbers", self.numbers, range::positive, "numbers");
  }
};

TEST(OptionsJson, GoesThereAndBackWithoutLoss) {
  Everything from{true, 7, 18446744073709551615u, 0.1, "normalised", {"x"}, {0.3}};
  const nlohmann::json text = nlohmann::json::parse(options_to_json(list_options(from)).dump());
  Everything to;
  options_from_json(text, list_options(to));
  EXPECT_EQ(options_to_json(list_options(to)), options_to_json(list_options(from)));
  EXPECT_EQ(to.seed, from.seed);
  EXPECT_EQ(to.gap, from.gap);
}

TEST(OptionsJson, LeavesWhatIsNotNamed) {
  Everything to;
  options_from_json({{"count", 5}, {"gap", 1}}, list_options(to));
  EXPECT_EQ(to.count, 5);
  EXPECT_EQ(to.gap, 1.0);
  EXPECT_EQ(to.word, "count");
}

TEST(OptionsJson, TakesWhatWasASwitchOnceForANumber) {
  Everything to;
  options_from_json({{"gap", true}}, list_options(to));
  EXPECT_EQ(to.gap, 1.0);
  EXPECT_THROW(options_from_json({{"gap", false}}, list_options(to)), InputError);  // 0 is outside its range
}

TEST(OptionsJson, RefusesWhatDoesNotFit) {
  Everything to;
  const auto refused = [&](const char* text) {
    EXPECT_THROW(options_from_json(nlohmann::json::parse(text), list_options(to)), InputError) << text;
  };
  refused("[]");
  refused(R"({"unknown": 1})");
  refused(R"({"flag": 1})");
  refused(R"({"count": 1.5})");
  refused(R"({"count": 0})");
  refused(R"({"count": 4294967296})");
  refused(R"({"seed": -1})");
  refused(R"({"gap": "small"})");
  refused(R"({"gap": 0})");
  refused(R"({"word": "other"})");
  refused(R"({"words": "a"})");
  refused(R"({"numbers": [1, -1]})");
  refused(R"({"numbers": [1, null]})");
  refused(R"({"numbers": [true]})");
  refused(R"({"count": true})");
}

}  // namespace
}  // namespace hinge
