#include "hinge/tasks/parse/metrics.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hinge/tasks/parse/reader.h"
#include "tests/support/any_task.h"

namespace hinge {
namespace {

// Counted by hand, as evalb with COLLINS.prm does.
struct Case {
  const char *truth, *found;
  int brackets, found_brackets, matching;
  double crossing;
};

SentenceTree tree_of(const std::string& text) {
  TemporaryFolder folder;
  return read_trees({folder.write("trees", text + "\n")}).trees.at(0);
}

TEST(ParseMetrics, CountsAsEvalb) {
  const Case cases[] = {
      // the same; root and tags do not count
      {"(ROOT (S (NP (DT the) (NN dog)) (VP (VBZ barks))))",
       "(ROOT (S (NP (DT the) (NN dog)) (VP (VBZ barks))))", 3, 3, 3, 0},
      // another label
      {"(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a)) (PP (VB b)))", 3, 3, 2, 0},
      // one bracket less, one more
      {"(S (NP (NP (NN a)) (PP (IN b))) (VP (VB c)))", "(S (NP (NN a)) (PP (IN b)) (VP (VB c)))", 5, 4, 4, 0},
      // a full stop is left out, so that where it hangs does not matter
      {"(S (NP (NN a)) (VP (VB b)) (. .))", "(S (NP (NN a)) (VP (VB b) (. .)))", 3, 3, 3, 0},
      // a bracket over nothing but punctuation does not count
      {"(S (NP (NN a)) (PRN (, ,) (: -)))", "(S (NP (NN a)) (, ,) (: -))", 2, 2, 2, 0},
      // PRT is ADVP
      {"(VP (VB give) (PRT (RP up)))", "(VP (VB give) (ADVP (RP up)))", 2, 2, 2, 0},
      // NP over NP counts twice, and matches once where it is found once
      {"(NP (NP (NN a) (NN b)))", "(NP (NN a) (NN b))", 2, 1, 1, 0},
      {"(NP (NN a) (NN b))", "(NP (NP (NN a) (NN b)))", 1, 2, 1, 0},
      // X over b c crosses Y over a b
      {"(S (X (A a) (B b)) (C c))", "(S (A a) (Y (B b) (C c)))", 2, 2, 1, 1},
  };
  std::size_t truth = 0, found = 0, matching = 0;
  ParseMetrics all;
  for (const Case& c : cases) {
    ParseMetrics metrics;
    metrics.add(tree_of(c.truth), tree_of(c.found), 1.5, false);
    const nlohmann::json json = metrics.json();
    EXPECT_EQ(json["brackets"], c.brackets) << c.truth;
    EXPECT_EQ(json["found_brackets"], c.found_brackets) << c.found;
    EXPECT_EQ(json["matching_brackets"], c.matching) << c.found;
    EXPECT_EQ(json["crossing_loss"], c.crossing);
    EXPECT_EQ(json["without_crossing"], c.crossing == 0 ? 1.0 : 0.0);
    EXPECT_EQ(json["right"], c.matching == c.brackets && c.matching == c.found_brackets ? 1 : 0);
    EXPECT_DOUBLE_EQ(json["precision"].get<double>(), 1.0 * c.matching / c.found_brackets);
    EXPECT_DOUBLE_EQ(json["recall"].get<double>(), 1.0 * c.matching / c.brackets);
    truth += static_cast<std::size_t>(c.brackets);
    found += static_cast<std::size_t>(c.found_brackets);
    matching += static_cast<std::size_t>(c.matching);
    all.add(tree_of(c.truth), tree_of(c.found), 1.5, matching % 2 == 0);
  }
  const nlohmann::json json = all.json();  // over all sentences together, not their mean
  const double precision = static_cast<double>(matching) / static_cast<double>(found),
               recall = static_cast<double>(matching) / static_cast<double>(truth);
  EXPECT_DOUBLE_EQ(json["f1"].get<double>(), 2 * precision * recall / (precision + recall));
  EXPECT_EQ(json["loss"], 1.5);
  EXPECT_NE(parse_report(json).find("the grammar has no tree for"), std::string::npos);
}

TEST(ParseMetrics, CountsTags) {
  ParseMetrics metrics;
  metrics.add(tree_of("(S (NN a) (VB b) (. .))"), tree_of("(S (NN a) (NN b) (X .))"), 0, false);
  EXPECT_EQ(metrics.json()["tag_accuracy"], 0.5);  // the full stop is left out
}

TEST(ParseMetrics, WhatIsOpenCountsNeitherWay) {
  ParseMetrics metrics;
  const SentenceTree truth = tree_of("(S (? (NP (A a) (B b)) (C c) (D d)))");
  metrics.add(truth, tree_of("(S (X (NP (A a) (B b)) (C c)) (Y (D d)))"), 0, false);  // X and Y may be there
  EXPECT_EQ(metrics.json()["found_brackets"], 2);
  EXPECT_EQ(metrics.json()["accuracy"], 1.0);
  metrics.add(truth, tree_of("(S (A a) (X (B b) (C c)) (D d))"), 0, false);  // X may not
  EXPECT_EQ(metrics.json()["found_brackets"], 4);
  EXPECT_EQ(metrics.json()["matching_brackets"], 3);
  metrics.add(tree_of("a b"), tree_of("(S (A a) (B b))"), 0, false);
  EXPECT_EQ(metrics.json()["unlabelled"], 1);
  ParseMetrics none;
  none.add(tree_of("a b"), tree_of("(S (A a) (B b))"), 0, false);
  expect_input_error([&] { none.json(); }, "nothing is known");
}

}  // namespace
}  // namespace hinge
