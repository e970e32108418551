#include "hinge/tasks/parse/tree_grammar.h"

#include <gtest/gtest.h>

#include <set>

#include "hinge/tasks/parse/reader.h"
#include "tests/support/any_task.h"

namespace hinge {
namespace {

const std::string kTrees =
    "(ROOT (S (NP (DT the) (JJ old) (JJ big) (NN dog)) (VP (VBZ barks)) (. .)))\n"
    "(ROOT (S (NP (NP (NN it))) (VP (VBZ is) (NP (DT a) (NN dog)) (PP (IN in) (NP (NN it))))))\n"
    "(ROOT (NP (NN dog)))\n"
    "(ROOT (NN x))\n"
    "(ROOT (NN x) (NN y) (NN z))\n";

std::vector<SentenceTree> trees_of(const std::string& text) {
  TemporaryFolder folder;
  return read_trees({folder.write("trees", text)}).trees;
}

TEST(TreeGrammar, TreesGoThereAndBack) {
  const auto trees = trees_of(kTrees);
  for (const int horizontal : {0, 1, 2, 100})
    for (const int vertical : {1, 2, 3}) {
      const TreeGrammar grammar(trees, {horizontal, vertical});
      for (const SentenceTree& tree : trees) {
        const auto derivation = grammar.encode(tree);
        ASSERT_TRUE(derivation);
        EXPECT_EQ(derivation->size(), 2 * tree.words.size() - 1);
        SentenceTree back;
        back.words = tree.words;
        back.tags.resize(tree.words.size());
        grammar.decode(*derivation, back);
        EXPECT_EQ(back, tree);
        // The chart finds it where nothing else is allowed.
        ChartScores scores;
        scores.shape(grammar.chart(), tree.words.size());
        std::fill_n(scores.rule(), grammar.chart().rules().size(), kForbidden);
        std::fill_n(scores.lexical(0), tree.words.size() * grammar.tags().size(), kForbidden);
        std::fill_n(scores.unary(0, 1), scores.spans() * grammar.chart().steps(), kForbidden);
        for (const ChartStep& step : *derivation) {
          scores.unary(step.begin, step.end)[step.unary] = 0;
          (step.end - step.begin == 1 ? scores.lexical(step.begin) : scores.rule())[step.rule] = 0;
        }
        ChartCounts counts;
        EXPECT_EQ(Chart().solve(scores, 0, 0, counts), 0);
        EXPECT_EQ(counts.structure(), *derivation);
      }
    }
}

std::set<std::string> rule_names(const TreeGrammar& grammar) {
  std::set<std::string> names;
  for (const auto& rule : grammar.chart().rules())
    names.insert(grammar.symbol_name(rule.parent) + " -> " + grammar.symbol_name(rule.left) + " " +
                 grammar.symbol_name(rule.right));
  return names;
}

TEST(TreeGrammar, RemembersAsAsked) {
  const auto trees = trees_of("(ROOT (NP (A a) (B b) (C c) (D d)))");
  EXPECT_EQ(rule_names(TreeGrammar(trees, {0, 1})),
            (std::set<std::string>{"NP -> A @NP|", "@NP| -> B @NP|", "@NP| -> C D"}));
  EXPECT_EQ(rule_names(TreeGrammar(trees, {1, 1})),
            (std::set<std::string>{"NP -> A @NP|/A", "@NP|/A -> B @NP|/B", "@NP|/B -> C D"}));
  EXPECT_EQ(rule_names(TreeGrammar(trees, {2, 2})),
            (std::set<std::string>{"NP^ROOT -> A @NP^ROOT|/A", "@NP^ROOT|/A -> B @NP^ROOT|/A,/B",
                                   "@NP^ROOT|/A,/B -> C D"}));
}

TEST(TreeGrammar, ChainsAreOneStep) {
  const TreeGrammar grammar(trees_of(kTrees), {1, 1});
  std::set<std::string> names;
  for (const auto& chain : grammar.chains()) {
    std::string name;
    for (const Index symbol : chain.symbols) name += (name.empty() ? "" : ">") + grammar.symbol_name(symbol);
    names.insert(name);
    EXPECT_EQ(chain.steps.size() + 1, chain.symbols.size());
  }
  EXPECT_EQ(names, (std::set<std::string>{"NP", "NP>NN", "NP>NP>NN", "PP", "VP", "VP>VBZ", "S", "ROOT",
                                          "ROOT>S", "ROOT>NP>NN", "ROOT>NN"}));
}

TEST(TreeGrammar, TakesWhatIsCompleteOfPartialTrees) {
  const TreeGrammar grammar(
      trees_of("(ROOT (X (A a) (B b)))\n(? (NP (A a) (B b)) (VP (? (C c) (D d))) (A a))"), {1, 1});
  EXPECT_EQ(rule_names(grammar), (std::set<std::string>{"X -> A B", "NP -> A B"}));
  EXPECT_NE(grammar.labels().find("VP"), StringTable::kNone);
  const auto partial = trees_of("(NP (? (A a) (B b)))");
  EXPECT_FALSE(grammar.encode(partial[0]));
  EXPECT_FALSE(grammar.encode(trees_of("(ROOT (NP (A a) (A a)))")[0]));
  EXPECT_FALSE(grammar.encode(trees_of("(ROOT (X (Z a) (B b)))")[0]));
  expect_input_error([] { TreeGrammar(trees_of("(? (A a) (B b))"), {1, 1}); }, "give some whole trees");
}

TEST(TreeGrammar, ComesBackFromAnArchive) {
  const auto trees = trees_of(kTrees);
  const TreeGrammar grammar(trees, {1, 2});
  Archive archive;
  grammar.save(archive);
  const TreeGrammar loaded(archive);
  EXPECT_EQ(rule_names(loaded), rule_names(grammar));
  EXPECT_EQ(loaded.steps(), grammar.steps());
  for (const SentenceTree& tree : trees) EXPECT_EQ(loaded.encode(tree), grammar.encode(tree));
  for (const char* name : {"rules", "chains", "symbol_labels"}) {
    Archive damaged = archive;
    damaged.arrays[name] =
        std::vector<Index>(std::get<std::vector<Index>>(archive.arrays[name]).size(), 9999);
    expect_input_error([&] { TreeGrammar{damaged}; }, "does not fit together");
  }
}

}  // namespace
}  // namespace hinge
