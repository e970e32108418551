#include "hinge/tasks/parse/any_parse.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>

#include "hinge/tasks/parse/reader.h"
#include "hinge/tasks/powers.h"
#include "hinge/tasks/predictions.h"
#include "tests/support/any_task.h"

namespace hinge {
namespace {

const std::string kTrain =
    "(ROOT (S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .)))\n"
    "(ROOT (S (NP (PRP it)) (VP (VBZ is) (NP (DT the) (NN dog))) (. .)))\n"
    "(ROOT (NP (NP (NN dog)) (PP (IN in) (NP (PRP it)))))\n"
    "(ROOT (S (NP (PRP it)) (? is the (NP (NN dog))) (. .)))\n";

class Parse : public AdapterTest {
 protected:
  Parse() : AdapterTest(make_parse()) { set(task_->options(), "min_count", 1); }
  std::unique_ptr<Data> read(const std::string& text) { return task_->read({folder_.write("later", text)}); }
};

TEST_F(Parse, ReadsTheGrammarOffTheTrees) {
  const auto data = train(kTrain);
  EXPECT_EQ(data->facts(),
            nlohmann::json::parse(R"({"examples":4,"words":17,"labels":4,"tags":6,"rules":6,"chains":9,
      "partial_trees":1,"unseen_words":0,"beyond_the_grammar":1,"left_out":0})"));
  EXPECT_FALSE(data->oracle().determined(3));
  EXPECT_TRUE(data->oracle().determined(2));
  EXPECT_TRUE(task_->check(*data, {}).passed()) << task_->check(*data, {}).text();
  EXPECT_EQ(task_->feature_name(0), "length: 1 -> ROOT");
}

TEST_F(Parse, EverySentenceHasATree) {
  train(kTrain);
  // Words and tags that training never saw, an order that no rule has.
  const auto data =
      read("the dog barks .\n(ROOT (X (Y what) (Z (NN dog) (DT the))))\n. . .\n(S (NP (NN a)))\n");
  EXPECT_EQ(data->facts()["beyond_the_grammar"], 2);
  const std::string text = predict(*task_, *data);
  std::istringstream lines(text);
  std::string line;
  std::vector<std::string> found;
  while (std::getline(lines, line)) found.push_back(line);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_NE(found[1].find("(Y what)"), std::string::npos) << text;  // a given tag stays
  EXPECT_EQ(found[2], "(ROOT (. .) (. .) (. .))");
  const auto metrics = task_->evaluate(*data, w_, {}, *make_executor(2));
  EXPECT_GE(metrics["fell_back"].get<int>(), 1);
  EXPECT_EQ(metrics["unlabelled"], 2);
  EXPECT_EQ(read(text)->size(), 4u);  // what is written can be read
}

TEST_F(Parse, CountsLinesThatItTakesForComments) {
  EXPECT_FALSE(train("# c\n" + kTrain)->facts().contains("lines_left_out_as_comments"));
  const auto counted = [&](const std::string& text) {
    const nlohmann::json facts = read(text)->facts();
    return facts.value("lines_left_out_as_comments", 0);
  };
  EXPECT_EQ(counted("# 1 dog barks .\nthe dog barks .\n# it\n"), 2);
  EXPECT_EQ(counted("# a tree\n(S (NN dog))\n"), 0);
  EXPECT_EQ(counted(" # 1 dog barks .\n#dog\nthe dog barks .\n"), 0);
  EXPECT_EQ(read(" # 1 dog barks .\n#dog\nthe dog barks .\n")->size(), 3u);
}

TEST_F(Parse, WritesTheBestTreesAndHowProbableTheyAre) {
  train(kTrain);
  set(task_->predict_options(), "nbest", 3);
  set(task_->predict_options(), "marginals", true);
  const auto data =
      read("(ROOT (NP (NP (NN dog)) (PP (IN in) (NP (NP (NN dog)) (PP (IN in) (NP (PRP it)))))))\n");
  const std::string text = predict(*task_, *data);
  std::istringstream lines(text);
  std::string line;
  std::vector<double> scores;
  int brackets = 0;
  while (std::getline(lines, line)) {
    if (line.starts_with("# score ")) {
      scores.push_back(std::stod(line.substr(8)));
    } else if (line.starts_with("# ")) {
      const double p = std::stod(line.substr(line.rfind(' ')));
      EXPECT_GE(p, 0);
      EXPECT_LE(p, 1 + 1e-9);
      ++brackets;
    }
  }
  ASSERT_GE(scores.size(), 2u);
  EXPECT_TRUE(std::ranges::is_sorted(scores, std::greater()));
  EXPECT_GE(brackets, 12);
  EXPECT_NE(text.find("# NP 5-5 1\n"), std::string::npos) << text;  // a pronoun is one in every tree
}

TEST_F(Parse, ListsTreesThatKeepToWhatIsGiven) {
  train(kTrain);
  const auto listed = [&](const std::string& text, bool given) {
    const auto& lists = *power<ListsTrees>(*task_);
    return lists.best_trees(*read(text), w_, 1000, given, *make_executor(2)).at(0);
  };
  const std::string words = "dog in it in it";
  const auto all = listed(words + "\n", false);
  ASSERT_GE(all.size(), 2u);
  for (const RankedTree& tree : all) {
    const auto kept = listed(tree.text + "\n", true);
    ASSERT_EQ(kept.size(), 1u);
    EXPECT_EQ(kept[0].text, tree.text);
  }
  EXPECT_EQ(listed("(? " + words + ")\n", true).size(), all.size());
  expect_input_error([&] { listed("(ROOT (NP (IN dog) (IN it)))\n", true); },
                     "what is given of sentence 0 leaves the grammar no tree");
}

// The brackets of a tree in brackets, sorted; of equal ones each counts.
using Brackets = std::vector<std::tuple<std::string, Index, Index>>;
Brackets brackets_of(const std::string& text) {
  Brackets all;
  for (const TreeBracket& b : tree_of_text(text, "tree").brackets) all.emplace_back(b.label, b.begin, b.end);
  std::ranges::sort(all);
  return all;
}

// No other tree has fewer brackets expected to differ, though brackets stand in many chains, twice in some, and below different
// ones.
TEST_F(Parse, DecodesTheTreeWithTheFewestBracketsExpectedToDiffer) {
  const std::string train_text =
      "(ROOT (V (V (A x) (N (B y) (A x)))))\n(ROOT (V (V (B y) (B y)) (V (A x) (N (A y) (A x)))))\n"
      "(ROOT (N (N (V (A y) (A x) (B x))) (V (B y))))\n(ROOT (B x))\n"
      "(ROOT (V (V (A y) (A x)) (N (B x) (B y))))\n(ROOT (V (V (V (A y) (A x)) (B x)) (B y)))\n"
      "(ROOT (N (A y) (N (A x) (N (B x) (B y)))))\n(ROOT (N (V (N (A y) (A x))) (V (N (B x) (B y)))))\n"
      "(ROOT (N (V (A y) (A x)) (N (B x) (B y))))\n";
  task_->decode(Decoding::named("max-marginals"));
  int different = 0;
  for (const int vertical : {1, 2}) {
    set(task_->options(), "vertical", vertical);
    train(train_text);
    Random random(7);
    for (int trial = 0; trial < 20; ++trial) {
      for (double& weight : w_) weight = random.normal();
      const std::string words = "(ROOT (? (A y) (A x) (B x) (B y)))\n";
      const auto data = read(words);
      const auto all = power<ListsTrees>(*task_)->best_trees(*data, w_, 1000, false, *make_executor(1)).at(0);
      ASSERT_GE(all.size(), 5u);
      std::vector<std::pair<Brackets, double>> trees;
      double sum = 0;
      for (const RankedTree& tree : all) {
        trees.emplace_back(brackets_of(tree.text), std::exp(tree.score - all[0].score));
        sum += trees.back().second;
      }
      const auto expected = [&](const Brackets& own) {
        double wrong = 0;
        Brackets apart;
        for (const auto& [other, weight] : trees) {
          apart.clear();
          std::ranges::set_symmetric_difference(own, other, std::back_inserter(apart));
          wrong += weight / sum * static_cast<double>(apart.size());
        }
        return wrong;
      };
      std::string found = predict(*task_, *data);
      found.pop_back();
      const double own = expected(brackets_of(found));
      for (const auto& [brackets, weight] : trees) EXPECT_GE(expected(brackets), own - 1e-9) << found;
      different += found != all[0].text;
    }
  }
  EXPECT_GE(different, 5);  // else the best trees would do
}

TEST_F(Parse, AModelComesBack) {
  for (const char* tags : {"given", "found"}) {
    set(task_->options(), "tags", std::string(tags));
    train(kTrain);
    set(task_->predict_options(), "marginals", true);
    Archive archive;
    task_->save(archive);
    const auto loaded = make_parse();
    loaded->load(archive);
    set(loaded->predict_options(), "marginals", true);
    EXPECT_EQ(loaded->dimension(), task_->dimension());
    const auto later = read("the dog is in it .\n(S (NP (NN dog)) (VP (VBZ is)))\n");
    EXPECT_EQ(predict(*loaded, *loaded->read({folder_.path("later")}), 3), predict(*task_, *later));
    for (Index j = 0; j < task_->dimension(); j += 7)
      EXPECT_EQ(loaded->feature_name(j), task_->feature_name(j));
    archive.arrays["word_tags"] = std::vector<Index>{999};
    expect_input_error([&] { loaded->load(archive); }, "do not fit together");
  }
}

TEST_F(Parse, RefusesWithAFix) {
  expect_input_error([&] { train("\n(? (NN a) (NN b))\n"); },
                     "train:2: no tree is complete from its root down");
  const std::string partial = "(S (? (NN a) (NN b)) (NN c))\n(? a b)\n";
  expect_input_error([&] { train(partial); },
                     "train:1: the grammar has a tree for none of the sentences, of which this is the first");
  for (const char* tags : {"found", "given"}) {
    set(task_->options(), "tags", std::string(tags));
    expect_input_error([&] { train("\n(S a b)\n"); }, "train:2: the word 'a' has no tag");
    expect_input_error([&] { train(partial + "(S (NN b) a)\n"); }, "train:3: the word 'a' has no tag");
  }
  train(kTrain);
  set(task_->predict_options(), "nbest", 2);
  task_->decode(Decoding::named("max-marginals"));
  const auto data = read("the dog\n");
  expect_input_error([&] { predict(*task_, *data); }, "leave out one of them");
  expect_input_error([&] { task_->decode(Decoding::named("marginal-map")); },
                     "cannot decode by marginal-map");
  set(task_->read_options(), "max_memory", 0.5);
  std::string text;
  for (int k = 0; k < 200; ++k) text += "dog ";
  expect_input_error([&] { read(text + "\n"); },
                     "sentence 1 has 200 words, for which the chart of this grammar takes");
}

}  // namespace
}  // namespace hinge
