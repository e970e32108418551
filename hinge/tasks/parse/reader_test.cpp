#include "hinge/tasks/parse/reader.h"

#include <gtest/gtest.h>

#include "tests/support/any_task.h"

namespace hinge {
namespace {

std::vector<std::string> read(const std::string& text, const Selection& selection = {}) {
  TemporaryFolder folder;
  std::vector<std::string> lines;
  for (const SentenceTree& tree : read_trees({folder.write("trees", text)}, selection).trees) {
    lines.emplace_back();
    append_tree(tree, lines.back());
  }
  return lines;
}
using Lines = std::vector<std::string>;

TEST(TreeReader, ReadsPennAndGum) {
  EXPECT_EQ(read("(ROOT (NP (NN Introduction)))\n"), Lines{"(ROOT (NP (NN Introduction)))"});
  EXPECT_EQ(read("( (S (NP-SBJ-1 (PRP It)) (VP=2 (VBZ is))) )\n"),
            Lines{"(ROOT (S (NP (PRP It)) (VP (VBZ is))))"});
  EXPECT_EQ(read("(TOP (S|X (NP (PRP It))\n     (VP (VBZ is))\n  )\n)\n(S1 (X\n(NN a)))(NP (NN b))"),
            (Lines{"(ROOT (S (NP (PRP It)) (VP (VBZ is))))", "(ROOT (X (NN a)))", "(ROOT (NP (NN b)))"}));
  EXPECT_EQ(read("(NN dog)"), Lines{"(ROOT (NN dog))"});
  EXPECT_EQ(read("(S(NP(-LRB- -LRB-)(NN x)(-RRB- ])))"),
            Lines{"(ROOT (S (NP (-LRB- -LRB-) (NN x) (-RRB- ]))))"});
}

TEST(TreeReader, LeavesTracesOut) {
  EXPECT_EQ(read("(S (NP-SBJ (-NONE- *)) (VP (VB Go) (SBAR (-NONE- 0) (S (-NONE- *T*-1)))))"),
            Lines{"(ROOT (S (VP (VB Go))))"});
}

TEST(TreeReader, ReadsWhatIsKnownInPart) {
  EXPECT_EQ(read("(ROOT (NP (DT the) (NN dog)) (? barks (ADVP (RB loudly)) (. .)))"),
            Lines{"(ROOT (NP (DT the) (NN dog)) (? barks (ADVP (RB loudly)) (. .)))"});
  EXPECT_EQ(read("It works .\n# a comment\n\t\n(? It (VP works) .)\n"),
            (Lines{"(ROOT (? It works .))", "(ROOT (? It (VP works) .))"}));
  EXPECT_EQ(read("(NP (? dog))"), Lines{"(ROOT (NP (? dog)))"});
  EXPECT_EQ(read("(ROOT dog)\n(TOP dog)\n"), (Lines{"(ROOT dog)", "(ROOT dog)"}));  // its tag is not known
}

TEST(TreeReader, ReadsTheSelected) {
  EXPECT_EQ(read("(NN a)\nb c\n(NN d)\n", Selection({false, true, true})),
            (Lines{"(ROOT (? b c))", "(ROOT (NN d))"}));
}

TEST(TreeReader, SaysWhatIsWrong) {
  expect_input_error([] { read("(S (NP (NN a))\n\n"); },
                     "trees:1: the file ends inside the tree that begins here, with 1 bracket open");
  expect_input_error([] { read("(NN a)\n(S (NP"); },
                     "trees:2: the file ends inside the tree that begins here, with 2 brackets open");
  expect_input_error([] { read("(NN a))\n"); }, "trees:1: a ')' closes no bracket");
  expect_input_error([] { read("\n)\n"); }, "trees:2: a ')' closes no bracket");
  expect_input_error([] { read("(S (NP))\n"); }, "trees:1: the bracket (NP) has no word");
  expect_input_error([] { read("(S ())\n"); }, "a bracket is empty");
  expect_input_error([] { read("(S ((NN a)))\n"); }, "a bracket has no label");
  expect_input_error([] { read("(S\n (NP (-NONE- *)))\n"); }, "trees:1: the tree has no word");
  expect_input_error([] { read("(NN a) b\n"); }, "'b' stands behind the end of a tree");
  expect_input_error([] { read("a (b c\n"); }, "the word '(b' has a bracket in it: write -LRB-");
  expect_input_error([] { read("(S (ROOT (NN a)) (NN b))"); },
                     "trees:1: the label ROOT stands below the top");
  for (const char* text :
       {"(S (ROOT a) (NN b))", "(S (ROOT-1 (NN a) (NN b)) (NN c))", "(S (ROOT (-NONE- *)) (NN b))"})
    expect_input_error([&] { read(text); }, "trees:1: the label ROOT stands below the top");
  expect_input_error([] { read("# nothing\n"); }, "holds no tree");
}

// As deep as data likes: nothing recurses.
TEST(TreeReader, ReadsDeepTrees) {
  std::string text;
  for (int k = 0; k < 100'000; ++k) text += "(X ";
  text += "(NN a) (NN b)" + std::string(100'000, ')');
  EXPECT_EQ(read(text)[0], "(ROOT " + text + ")");
}

TEST(ParseRecords, RefusesWhatIsNoTree) {
  ParseRecords records;
  records.add({{"a", "b"}, {"A", ""}, {{"ROOT", 0, 2}, {"X", 1, 2}}});
  EXPECT_EQ(records.trees.size(), 1u);
  const auto refuses = [&](SentenceTree tree, const std::string& what) {
    expect_input_error([&] { records.add(std::move(tree)); }, what);
  };
  refuses({{}, {}, {{"ROOT", 0, 0}}}, "sentence 2 has no word");
  refuses({{"a"}, {}, {{"ROOT", 0, 1}}}, "1 words and 0 tags");
  refuses({{"a"}, {"A"}, {{"S", 0, 1}}}, "no root over all of its words");
  refuses({{"a b"}, {"A"}, {{"ROOT", 0, 1}}}, "has blanks or brackets in it");
  refuses({{"a", "b", "c"}, {"A", "A", "A"}, {{"ROOT", 0, 3}, {"X", 0, 2}, {"Y", 1, 3}}}, "does not fit");
  refuses({{"a", "b"}, {"A", "A"}, {{"ROOT", 0, 2}, {"X", 1, 1}}}, "does not fit");
}

}  // namespace
}  // namespace hinge
