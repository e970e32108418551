#include "hinge/tasks/cluster/pair_encoder.h"

#include <gtest/gtest.h>

#include <set>

#include "hinge/core/random.h"
#include "hinge/inference/pair_scores.h"
#include "tests/support/any_task.h"

namespace hinge {
namespace {

using Names = std::set<std::string>;

ItemDocument items_of(const std::vector<std::string>& texts) {
  ItemDocument document;
  document.items = ItemTable(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) document.items.set(i, "text", Cell::of(texts[i]));
  return document;
}

Names features_of(const Document& x, std::size_t pair, const StringTable& names) {
  Names set;
  for (const Index f : x.rows.attributes(x.row_of[pair])) set.emplace(names.text(f));
  return set;
}

// The one outcome of a term on two texts.
std::string outcome(const std::string& term, const std::string& a, const std::string& b) {
  StringTable features, given;
  PairEncoder encoder({parse_comparator(term + ":text")}, given, features, true);
  encoder(items_of({a, b}));
  return features.size() == 1 ? "" : std::string(features.text(1)).substr(term.size() + 6);
}

TEST(Comparators, CompareTexts) {
  EXPECT_EQ(outcome("equal", "Ann", "ann"), "same");
  EXPECT_EQ(outcome("equal", "Ann", "Anna"), "different");
  EXPECT_EQ(outcome("head", "the old man", "a Man"), "same");
  EXPECT_EQ(outcome("head", "the old man", "the old woman"), "different");
  EXPECT_EQ(outcome("words", "the old man", "man the old"), "same");
  EXPECT_EQ(outcome("words", "the old man", "old man"), "within");
  EXPECT_EQ(outcome("words", "the old man", "the man there"), "some");
  EXPECT_EQ(outcome("words", "the old man", "she"), "none");
  EXPECT_EQ(outcome("words", "the old man", ""), "");
  // " a", "an", "nn", "n " and " a", "an", "nn", "na", "a ": 3 of them common
  EXPECT_EQ(outcome("similarity", "ann", "anna"), "<.75");
  EXPECT_EQ(outcome("similarity", "ann", "Ann"), "1");
  EXPECT_EQ(outcome("similarity", "ann", "bob"), "0");
  EXPECT_EQ(outcome("similarity", "a", "ab"), "<.5");  // " a" of 2 and 3: 2 / 5
  EXPECT_EQ(outcome("values", "ann", "bob"), "ann, bob");
  EXPECT_EQ(outcome("first", "ann", "bob"), "ann");
  EXPECT_EQ(outcome("second", "ann", "bob"), "bob");
}

TEST(Comparators, CompareNumbersAndSpans) {
  const auto named = [](const std::string& term, const Cell& a, const Cell& b) {
    ItemDocument document;
    document.items = ItemTable(2);
    document.items.set(0, "f", a);
    document.items.set(1, "f", b);
    StringTable features, given;
    PairEncoder encoder({parse_comparator(term + ":f")}, given, features, true);
    encoder(document);
    return features.size() == 1 ? "" : std::string(features.text(1)).substr(term.size() + 3);
  };
  const std::vector<std::pair<double, std::string>> distances = {
      {0, "0"}, {-1, "1"}, {4, "4"}, {5, "5-7"}, {8, "8-15"}, {31, "16-31"}, {32, "32-63"}, {64, "64+"}};
  for (const auto& [apart, bucket] : distances)
    EXPECT_EQ(named("distance", Cell::of(10.0), Cell::of(10.0 + apart)), bucket);
  EXPECT_EQ(named("distance", Cell::of(10.0), Cell()), "");
  EXPECT_EQ(named("span", Cell::of(1, 3), Cell::of(1, 3)), "same");
  EXPECT_EQ(named("span", Cell::of(1, 3), Cell::of(2, 3)), "within");
  EXPECT_EQ(named("span", Cell::of(2, 3), Cell::of(2, 5)), "within");
  EXPECT_EQ(named("span", Cell::of(1, 3), Cell::of(3, 4)), "overlap");
  EXPECT_EQ(named("span", Cell::of(1, 3), Cell::of(4, 4)), "adjacent");
  EXPECT_EQ(named("span", Cell::of(1, 3), Cell::of(5, 5)), "one between");
  EXPECT_EQ(named("span", Cell::of(1, 3), Cell::of(6, 6)), "apart");
  EXPECT_EQ(named("equal", Cell::of(2.0), Cell::of(2.0)), "same");
}

TEST(Comparators, RefuseWhatIsNone) {
  expect_input_error([] { parse_comparator("alike:text"); }, "'alike', but there is no such term: use equal");
  expect_input_error([] { parse_comparator("equal"); }, "write equal:FIELD");
  expect_input_error([] { parse_comparator("equal:text+"); }, "there is no such term");
  expect_input_error([] { parse_comparator("equal:a+equal:b+equal:c+equal:d+equal:e"); }, "at most 4");
  for (const std::string& text : mention_comparators()) EXPECT_FALSE(parse_comparator(text).empty());
}

TEST(PairEncoder, JoinsTermsAndSharesRows) {
  StringTable features, given;
  const std::vector<Comparator> comparators = {parse_comparator("equal:text+distance:order")};
  PairEncoder encoder(comparators, given, features, true);
  const Document x = encoder(items_of({"a", "b", "a", "b"}));
  EXPECT_EQ(features_of(x, 1, features), (Names{"link", "equal:text same & distance:order 2"}));
  EXPECT_EQ(x.row_of[1], x.row_of[first_pair(3) + 1]);  // (0, 2) and (1, 3)
  EXPECT_EQ(x.row_of[0], x.row_of[2]);                  // (0, 1) and (1, 2)
  EXPECT_EQ(x.rows.length(), 3u);

  PairEncoder later(comparators, given, features, false);
  const Document test = later(items_of({"a", "a"}));
  EXPECT_EQ(features_of(test, 0, features), Names{"link"});
  EXPECT_EQ(later.unseen(), 1u);
}

// Rows of shared pairs are those that each pair would have alone.
TEST(PairEncoder, EqualsEachPairAlone) {
  Random random(31);
  std::vector<std::string> texts;
  for (int i = 0; i < 12; ++i) texts.push_back(std::string(1 + random.below(3), "ab"[random.below(2)]));
  StringTable features, given;
  const std::vector<Comparator> comparators = {parse_comparator("equal:text"),
                                               parse_comparator("values:text"),
                                               parse_comparator("similarity:text+first:text")};
  PairEncoder encoder(comparators, given, features, true);
  const Document all = encoder(items_of(texts));
  for (std::size_t j = 1; j < texts.size(); ++j)
    for (std::size_t i = 0; i < j; ++i) {
      const Document alone = encoder(items_of({texts[i], texts[j]}));
      EXPECT_EQ(features_of(all, first_pair(j) + i, features), features_of(alone, 0, features));
    }
}

TEST(PairEncoder, AddsWhatTheDataGives) {
  StringTable features, given;
  given.intern("near");
  ItemDocument document = items_of({"a", "a", "a"});
  document.pairs.pair = {2};
  document.pairs.rows.attribute = {0};
  document.pairs.rows.value = {0.5f};
  document.pairs.rows.start = {0, 1};
  PairEncoder encoder({parse_comparator("equal:text")}, given, features, true);
  const Document x = encoder(document);
  EXPECT_EQ(features_of(x, 0, features), (Names{"link", "equal:text same"}));
  EXPECT_EQ(features_of(x, 2, features), (Names{"link", "near", "equal:text same"}));
  Vector w(features.size());
  w[features.find("near")] = 2;
  w[features.find("link")] = 10;
  Vector scores(3);
  score_pairs(x, w, scores);
  EXPECT_EQ(scores, (Vector{10, 10, 11}));
}

TEST(PairEncoder, TakesDocumentsOfNoneAndOne) {
  StringTable features, given;
  PairEncoder encoder({parse_comparator("equal:text")}, given, features, true);
  EXPECT_EQ(encoder(items_of({})).row_of.size(), 0u);
  EXPECT_EQ(encoder(items_of({"a"})).row_of.size(), 0u);
}

}  // namespace
}  // namespace hinge
