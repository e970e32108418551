#include "hinge/tasks/parse/parse_task.h"

#include <gtest/gtest.h>

#include <map>

#include "hinge/oracle/check_task.h"
#include "hinge/tasks/parse/reader.h"
#include "hinge/tasks/parse/schema.h"
#include "tests/support/any_task.h"

namespace hinge {
namespace {

const std::string kTrees =
    "(ROOT (S (NP (DT the) (NN dog)) (VP (VBZ barks))))\n"
    "(ROOT (S (NP (NN it)) (VP (VBZ is) (NP (NP (DT the) (NN dog)) (PP (IN in) (NP (NN it)))))))\n"
    "(ROOT (S (NP (NN it)) (VP (VBZ is) (NP (NN dog)) (PP (IN in) (NP (NN it))))))\n"
    "(ROOT (NP (NP (NN it))))\n"
    "(ROOT (S (VP (VBZ is))))\n"
    "(ROOT (NP (NP (NN dog)) (PP (IN in) (NP (NP (NN it)) (PP (IN in) (NP (NN it)))))))\n";
const std::string kPartial =
    "(? (NP (DT the) (NN dog)) in (NN it))\n"
    "(S (? (NP (NN it)) (VBZ is) (? (NN dog) (IN in) (NN it))))\n"
    "(S (NP (? it)) (VP (? (VBZ is) (NN it))))\n"
    "it is the dog in it\n";

struct Problem {
  explicit Problem(const std::string& text, ParseTraining options = {}, int min_count = 1) {
    TemporaryFolder folder;
    options.min_count = min_count;
    records = read_trees({folder.write("trees", text)});
    ParseOptions all;
    all.training = options;
    schema = std::make_unique<ParseSchema>(records, word_uses(records.trees), all);
    for (const SentenceTree& tree : records.trees)
      examples.push_back({schema->input_of(tree), schema->label_of(tree)});
  }
  const ParseTask& task() const { return *schema->task(); }
  ParseRecords records;
  std::unique_ptr<ParseSchema> schema;
  std::vector<Example<ParseTask>> examples;
};

void expect_check(const Problem& problem) {
  const CheckReport report = check_task(problem.task(), problem.examples);
  EXPECT_TRUE(report.passed()) << report.text();
  EXPECT_TRUE(report.skipped.empty()) << report.text();
}

TEST(ParseTask, KeepsItsContract) {
  for (const char* tags : {"given", "found"})
    for (const char* features : {"rules", "spans", "all"})
      expect_check(Problem(kTrees + kPartial, {.tags = tags, .features = features}));
  expect_check(Problem(kTrees + kPartial, {.horizontal = 0}));
  expect_check(Problem(kTrees, {.horizontal = 2, .vertical = 2}));
}

// Brackets of a tree, and how often each label stands over each span.
std::map<std::tuple<Index, Index, Index>, int> brackets_of(const ParseTask& task, const ChartTree& tree) {
  std::map<std::tuple<Index, Index, Index>, int> counts;
  for (const ChartStep& step : tree)
    if (step.unary != ChartGrammar::kBare)
      for (const Index label : task.grammar().chain_of(step.unary).labels)
        ++counts[{step.begin, step.end, label}];
  return counts;
}

TEST(ParseTask, TheLossCountsBracketsThatDiffer) {
  const Problem problem(kTrees, {.tags = "found"}, 10);  // all words are rare, and may have any tag
  int positive = 0;
  for (const auto& [x, y, weight] : problem.examples) {
    ChartScores scores;
    problem.task().score(x, Vector(problem.task().dimension()), scores);
    const auto truth = brackets_of(problem.task(), y.derivation);
    Chart::for_each_structure(scores, [&](const ChartTree& tree) {
      auto differ = truth;
      for (const auto& [key, count] : brackets_of(problem.task(), tree)) differ[key] -= count;
      int sum = 0;
      for (const auto& [key, count] : differ) sum += std::abs(count);
      EXPECT_EQ(problem.task().loss(y, tree), sum);
      // The same, by brackets that need not follow the grammar.
      SentenceTree found;
      found.words.resize(x.words());
      found.tags.resize(x.words());
      problem.task().grammar().decode(tree, found);
      EXPECT_EQ(problem.task().loss(y, problem.schema->label_of(found).brackets), sum);
      positive += sum > 0;
    });
  }
  EXPECT_GT(positive, 5);
}

// By hand: what a partial tree admits is what costs nothing and keeps to its tags.
TEST(ParseTask, APartialTreeAdmitsWhatCostsNothing) {
  const Problem problem(kTrees + kPartial, {.tags = "found"}, 10);
  int admitted = 0, refused = 0;
  for (std::size_t i = 0; i < problem.examples.size(); ++i) {
    const auto& [x, y, weight] = problem.examples[i];
    ChartScores scores, clamped;
    const Vector zero(problem.task().dimension());
    problem.task().score(x, zero, scores);
    problem.task().score(x, zero, clamped);
    problem.task().forbid(y, clamped);
    EXPECT_EQ(problem.task().determined(y), i < 6);
    int own = 0;
    Chart::for_each_structure(scores, [&](const ChartTree& tree) {
      const bool admits = clamped.of(tree) != kForbidden;
      own += admits;
      refused += !admits;
      // A label that says more of the order of brackets over the same words could refuse what costs nothing;
      // none here does.
      const bool tagged = std::ranges::all_of(tree, [&](const ChartStep& step) {
        return step.end - step.begin > 1 || y.tags[step.begin] == ChartGrammar::kNone ||
               y.tags[step.begin] == step.rule;
      });
      EXPECT_EQ(admits, tagged && problem.task().loss(y, tree) == 0) << i;
    });
    EXPECT_GE(own, 1) << i;
    if (i < 6) {
      EXPECT_EQ(own, 1);
    }
    admitted += own;
  }
  EXPECT_GT(admitted, 12);
  EXPECT_GT(refused, 12);
}

TEST(ParseTask, StartsAtRelativeFrequencies) {
  const Problem problem(kTrees, {.features = "rules"});
  std::vector<std::size_t> all(problem.examples.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const Vector w = problem.task().start(problem.examples, all, 0);
  std::map<std::string, double> probability;
  for (Index j = 0; j < w.size(); ++j) probability[problem.schema->feature_name(j)] = std::exp(w[j]);
  // NP: 9 over NN, 2 DT NN, 3 NP PP, 1 over NP.
  EXPECT_NEAR(probability.at("NP -> NN"), 9.0 / 15, 1e-12);
  EXPECT_NEAR(probability.at("NP -> DT NN"), 2.0 / 15, 1e-12);
  EXPECT_NEAR(probability.at("NP -> NP PP"), 3.0 / 15, 1e-12);
  EXPECT_NEAR(probability.at("NP -> NP"), 1.0 / 15, 1e-12);
  EXPECT_NEAR(probability.at("ROOT -> S"), 4.0 / 6, 1e-12);
  EXPECT_NEAR(probability.at("S -> NP VP"), 3.0 / 4, 1e-12);
  EXPECT_NEAR(probability.at("VP -> VBZ"), 2.0 / 4, 1e-12);
  EXPECT_NEAR(probability.at("@VP|/VBZ -> NP PP"), 1.0, 1e-12);
  // The trees' own probability: the product over their rules.
  ChartScores scores;
  problem.task().score(problem.examples[0].input, w, scores);
  EXPECT_NEAR(std::exp(scores.of(problem.examples[0].label.derivation)), 4.0 / 6 * 3 / 4 * 2 / 15 * 2 / 4,
              1e-12);
}

TEST(Lexicon, KnowsFormsOfRareWords) {
  EXPECT_EQ(word_class("1,987"), "<num>");
  EXPECT_EQ(word_class("--"), "<sign>");
  EXPECT_EQ(word_class("Houses"), "<Cap-s>");
  EXPECT_EQ(word_class("USA"), "<CAPS>");
  EXPECT_EQ(word_class("running"), "<-ing>");
  EXPECT_EQ(word_class("iPods"), "<mixed-s>");
  EXPECT_EQ(word_class("well-known"), "<-hyphen>");
  TemporaryFolder folder;
  const auto trees =
      read_trees({folder.write("t", "(S (NN dog) (NN dog) (VB dog) (NNS cats) (VBG going))")}).trees;
  StringTable tags;
  for (const char* tag : {"NN", "VB", "NNS", "VBG"}) tags.intern(tag);
  const Lexicon lexicon(word_uses(trees), tags, 2);
  const auto tags_of = [&](const char* word) {
    const auto list = lexicon.tags(lexicon.entry(word));
    return std::vector<Index>(list.begin(), list.end());
  };
  EXPECT_EQ(tags_of("dog"), (std::vector<Index>{0, 1}));
  EXPECT_EQ(tags_of("running"), (std::vector<Index>{3}));  // as going
  EXPECT_EQ(tags_of("1987"), (std::vector<Index>{2, 3}));  // as any rare word
  EXPECT_TRUE(lexicon.known("dog"));
  EXPECT_FALSE(lexicon.known("cats"));
}

}  // namespace
}  // namespace hinge
