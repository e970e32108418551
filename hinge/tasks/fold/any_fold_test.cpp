#include "hinge/tasks/fold/any_fold.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hinge/tasks/fold/forms.h"
#include "hinge/tasks/fold/reader.h"
#include "hinge/tasks/powers.h"
#include "hinge/tasks/predictions.h"
#include "tests/support/any_task.h"
#include "tests/support/records.h"

namespace hinge {
namespace {

const std::string kFolds = ">a\nGGGAAACCC\n(((...)))\n>b\nGGAAAACCA\n((?..?)).\n>c\nACGUN\n.....\n";

class FoldAdapter : public AdapterTest {
 protected:
  FoldAdapter() : AdapterTest(make_fold()) {}
};

TEST_F(FoldAdapter, SurvivesSavingAndLoading) {
  for (const char* features : {"pairs", "all"}) {
    set(task_->options(), "features", std::string(features));
    const auto data = train(">a\nGGGAAACCC\n(((...)))\n");
    expect_survives_saving(*data, make_fold());
    EXPECT_EQ(task_->check(*data, {}).text(), "");
  }
}

// Every pair scores: the most pairs win.
TEST_F(FoldAdapter, WritesFoldsThatItReads) {
  set(task_->options(), "features", std::string("pairs"));
  const auto data = train(kFolds);
  ASSERT_EQ(task_->dimension(), 3u);
  w_ = {3, 3, 3};
  EXPECT_EQ(predict(*task_, *data), ">a\nGGGAAACCC\n(((...)))\n>b\nGGAAAACCA\n((....)).\n>c\nACGUN\n.....\n");
  for (const char* notation : {"dots", "ct", "bpseq"}) {
    set(task_->predict_options(), "notation", std::string(notation));
    for (const bool marginals : {false, true}) {
      set(task_->predict_options(), "marginals", marginals);
      const auto again = task_->read({folder_.write("again", predict(*task_, *data))});
      ASSERT_EQ(again->size(), 3u) << notation;
      const auto metrics = task_->evaluate(*again, w_, {}, *make_executor(2));
      EXPECT_EQ(metrics.at("f1"), 1);
      EXPECT_EQ(metrics.at("accuracy"), 1);
      EXPECT_EQ(metrics.at("known_pairs"), 5);
    }
  }
  set(task_->predict_options(), "notation", std::string("dots"));
  set(task_->predict_options(), "marginals", false);
  set(task_->predict_options(), "nbest", 2);
  const std::string both = predict(*task_, *data);
  EXPECT_EQ(both.find(">a\nGGGAAACCC\n(((...)))\n; score 9\n>a\nGGGAAACCC\n"), 0u) << both;
  EXPECT_EQ(both.find("; score 6\n>b"), both.find(">b") - 10) << both;
  EXPECT_EQ(task_->read({folder_.write("both", both)})->size(), 5u);  // ACGUN has one fold
  set(task_->predict_options(), "nbest", 1);
  const auto bare = task_->read({folder_.write("bare", "\n>d\nGC\n")});
  expect_input_error([&] { task_->evaluate(*bare, w_, {}, *make_executor(1)); },
                     "bare:2: no sequence has a known fold, so that there is nothing to compare");
  const auto metrics = task_->evaluate(*data, w_, {}, *make_executor(1));
  EXPECT_EQ(metrics.at("known_pairs"), 5);
  EXPECT_EQ(metrics.at("predicted_pairs"), 5);
  EXPECT_EQ(metrics.at("f1"), 1);
  // One pair of three is right, and the prediction has two more: the sequence without a pair is right too.
  const auto other =
      task_->read({folder_.write("other", ">a\nGGGAAACCC\n(.......)\n>c\nACGUN\n.....\n>d\nGC\n")});
  const auto worse = task_->evaluate(*other, w_, {}, *make_executor(1));
  EXPECT_DOUBLE_EQ(worse.at("precision").get<double>(), 1.0 / 3);
  EXPECT_EQ(worse.at("recall"), 1);
  EXPECT_DOUBLE_EQ(worse.at("f1").get<double>(), 0.5);
  EXPECT_DOUBLE_EQ(worse.at("mean_f1").get<double>(), 0.75);
  EXPECT_EQ(worse.at("loss"), 1);
  EXPECT_EQ(worse.at("unlabelled"), 1);
}

TEST_F(FoldAdapter, RefusesListsThatTakeTooMuchMemory) {
  set(task_->options(), "features", std::string("pairs"));
  train(kFolds);
  w_ = {3, 3, 3};
  set(task_->read_options(), "max_memory", 0.5);
  const auto data = task_->read(
      {folder_.write("long", ">a\n" + std::string(15, 'G') + "AAA" + std::string(15, 'C') + "\n")});
  const std::string sentence =
      "long:1: listing the 1000 best folds of 'a' (33 letters) takes more than `max_memory` 0.5, which ";
  const auto& lists = *power<ListsBest>(*task_);
  expect_input_error([&] { lists.best_labels(*data, w_, 1000, false, *make_executor(1)); }, sentence);
  EXPECT_EQ(lists.best_labels(*data, w_, 3, false, *make_executor(1)).at(0).size(), 3u);
  set(task_->predict_options(), "nbest", 1000);
  expect_input_error([&] { predict(*task_, *data); }, sentence);
  set(task_->read_options(), "max_memory", 20.0);
  EXPECT_EQ(lists.best_labels(*data, w_, 1000, false, *make_executor(1)).at(0).size(), 1000u);
}

TEST_F(FoldAdapter, FindsMoreWithALargerGamma) {
  const auto data = train(kFolds);
  task_->decode(Decoding::named("max-marginals"));
  std::size_t before = 0, first = 100;
  for (const double gamma : {0.01, 1.0, 100.0}) {
    set(task_->read_options(), "gamma", gamma);
    const auto again = task_->read({folder_.path("train")});
    const std::string folds = predict(*task_, *again);
    const auto pairs = static_cast<std::size_t>(std::ranges::count(folds, '('));
    EXPECT_GE(pairs, before);
    first = std::min(first, pairs);
    before = pairs;
  }
  EXPECT_GT(before, first);
}

TEST(FoldReader, ReadsEveryForm) {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& text, bool drop = false) {
    return read_folds({folder.write("data", text)}, drop).at(0);
  };
  const std::vector<int> expected = {6, 5, kUnpaired, kUnpaired, kUnpaired, 1, 0};
  for (const char* text :
       {">x\nGCAAAGC\n((...)) (-1.2)\n", "gcaaagc\n((...))\n", "# c\n;c\n>x\nGCAAAGC\n[[---]]\n",
        "7 dG = -1 x\n1 G 0 2 7 1\n2 C 1 3 6 2\n3 A 2 4 0 3\n4 A 3 5 0 4\n5 A 4 6 0 5\n6 G 5 7 2 6\n7 C 6 0 "
        "1 7\n",
        "1 G 7\n2 C 6\n3 A 0\n4 A 0\n5 A 0\n6 G 2\n7 C 1\n", "x\tk\to\t7\tGCAAAGC\t<(...)>\n",
        // An ID that is a number.
        "17\tk\to\t7\tGCAAAGC\t<(...)>\n", "17\trRNA\tE. coli\t7\tGCAAAGC\t((...))\n18\tk\to\t2\tGC\t..\n",
        // Fewer columns; the last two are what counts.
        "x\tGCAAAGC\t((...))\n", "17\tGCAAAGC\t((...))\n", "GCAAAGC\t((...))\n", "17\tk\tGCAAAGC\t<(...)>\n",
        ">x\tA\t(a name)\nGCAAAGC\n((...))\n",
        "7\tdG\t-3\n1\tG\t0\t2\t7\t1\n2\tC\t1\t3\t6\t2\n3\tA\t2\t4\t0\t3\n4\tA\t3\t5\t0\t4\n"
        "5\tA\t4\t6\t0\t5\n6\tG\t5\t7\t2\t6\n7\tC\t6\t0\t1\t7\n",
        // Headings of archives.
        "Filename: x.bpseq\nOrganism: E. coli\nCitation and more at http://x\n1 G 7\n2 C 6\n3 A 0\n4 A 0\n"
        "5 A 0\n6 G 2\n7 C 1\n",
        // Over several lines.
        ">x\nGCAAAGC\n[{...\n}]\n", ">x y\nGCAA\nAGC\n((...))\n",
        ">x\nGC\n\nAAAG\n; c\nC\n((..\n.)) (-1)\n>y\nGG\n"})
    EXPECT_EQ(read(text).partners, expected) << text;
  EXPECT_TRUE(read(">x\nGCAAAGC\n>y\nGG\n..\n").partners.empty());
  // The pair that closes first crosses another; its letters are unknown.
  EXPECT_EQ(read(">x\nGGAACC\n([..)]\n", true).partners,
            (std::vector<int>{kUnknownPair, 5, -1, -1, kUnknownPair, 1}));
}

TEST(FoldReader, JoinsLinesBelowNamesOnly) {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& text) {
    std::vector<std::string> found;
    for (const FoldRecord& r : read_folds({folder.write("data", text)}, false))
      found.push_back(r.name + " " + r.letters + " " + dot_bracket(r.partners));
    return found;
  };
  using Found = std::vector<std::string>;
  EXPECT_EQ(read(">a\nGGGGAAA\nACCCC\n"), (Found{"a GGGGAAAACCCC "}));
  EXPECT_EQ(read(">a\nGG\nAA\n....\n>b\nCC\nUU\n>c\nA\n.\n"), (Found{"a GGAA ....", "b CCUU ", "c A ."}));
  EXPECT_EQ(read("GGAA\nCC\n..\nUU\n"), (Found{"1 GGAA ", "2 CC ..", "3 UU "}));
  EXPECT_EQ(read(">a\nGG\nA\n...\nCC\nUU\n"), (Found{"a GGA ...", "2 CC ", "3 UU "}));
  EXPECT_EQ(read("x\tGC\t..\nAU\t..\n7\tk\tCG\t..\n"), (Found{"x GC ..", "2 AU ..", "7 CG .."}));
  EXPECT_EQ(read("Organism: x\n1 G 0\n2 C 0\nOrganism: y\n# z\n1 A 0\n"), (Found{"1 GC ..", "2 A ."}));
}

// Whoever reads a part of a file finds the sequences that begin in it.
TEST(FoldReader, CutsWhereSequencesBegin) {
  const auto begins = [](const std::string& text) {
    const TemporaryFolder folder;
    const auto cutter = cut_folds()(folder.write("data", text));
    std::vector<std::size_t> lines;
    std::size_t line = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      if (const auto start = cutter->take(std::string_view(text).substr(at, end - at), {at, line, 0}))
        lines.push_back(start->line);
      at = end + 1;
      ++line;
    }
    return lines;
  };
  using Lines = std::vector<std::size_t>;
  EXPECT_EQ(begins(">a\nGG\nAA\n..\n..\nCC\n>b\nCC\nUU\n>c\nA\n.\n"), (Lines{0, 5, 6, 9}));
  EXPECT_EQ(begins("GG\nCC\n..\nUU\n"), (Lines{0, 1, 3}));
  EXPECT_EQ(begins("Organism: x\n1 G 0\n2 C 0\nOrganism: y\n1 A 0\n"), (Lines{1, 4}));
  EXPECT_EQ(begins("1\tk\to\t2\tGC\t..\n2\tk\to\t2\tGC\t..\n"), (Lines{0, 1}));
}

TEST_F(FoldAdapter, RefusesWhatIsNoFold) {
  const auto refused = [&](const std::string& text, const std::string& why) {
    expect_input_error([&] { train(text); }, why);
  };
  refused("", "holds no sequence");
  refused(">a\n>b\nGG\n..\n", "train:1: the sequence 'a' has no letter");
  refused(">a\n", "the sequence 'a' has no letter");
  refused(">a\nGG1\n...\n", "train:2: '1' (letter 3 of 'a') is no letter of RNA");
  refused(">a\nGG\nA1\n....\n", "train:3: '1' (letter 4 of 'a') is no letter of RNA");
  refused(">a\nGGAACC\n([..)]\n", "train:3: the pair of letters 1 and 5 of 'a' crosses another: pseudoknots");
  refused(">a\nGGA\nACC\n\n.(.\n[)]\n", "train:5: the pair of letters 2 and 5 of 'a' crosses another");
  refused("(..)\nGAAC\n", "train:1: has a structure where the letters of '1' belong");
  refused("Organism: x\nGAAC\n(..)\n", "train:1: is a heading with a colon, which only .bpseq may have");
  refused(">a\nGGAACC\n((..)\n", "train:3: '(' (symbol 1 of the structure of 'a') is never closed");
  refused(">a\nGGAACC\n(..)).\n", "train:3: ')' (symbol 5 of the structure of 'a') closes no pair");
  refused(">a\nGGAACC\n((\n..)\n", "train:3: '(' (symbol 1 of the structure of 'a') is never closed");
  refused(">a\nGGAACC\n(..)\n).\n", "train:4: ')' (symbol 5 of the structure of 'a') closes no pair");
  refused(">a\nGGAACC\n(....)..\n", "train:3: 'a' has 6 letters, but a structure of 8");
  refused(">a\nGGA\nACC\n....\n", "train:4: 'a' has 6 letters, but a structure of 4");
  refused(">a\nGGAACC\n(.!..)\n", "'!' (symbol 3");
  refused(">a\nGGAACC\n", "train:1: no sequence has a known fold");
  refused(">a\nGGAACC\n??????\n>b\nGG\n", "no sequence has a known fold");
  refused("3 x\n1 G 0 2 3 1\n2 A 1 3 0 2\n",
          "train:1: announces 3 letters, but the file ends behind letter 2");
  refused("2 x\n1 G 0 2 0 1\n2 A 1 3 0 2\n3 C 2 0 0 3\n",
          "train:4: has letter 3 of 'x', where line 1 announces 2");
  refused("1 G 2\n2 C 0\n", "train:1: letter 1 of '1' is paired with letter 2, but that not with it");
  refused("1 G 9\n2 C 0\n", "train:1: letter 1 of '1' is paired with letter 9, which it cannot be");
  refused("1 A 0\n1 G 0\n2 C 9\n", "train:3: letter 2 of '2' is paired with letter 9, which it cannot be");
  refused("2 a\n1 G 0 2 0 1\n2 C 1 3 0 2\n2 b\n1 A 0 2 0 1\n# note\n2 1 1 3 0 2\n",
          "train:7: '1' (letter 2 of 'b') is no letter of RNA");
  refused("4 a\n1 G 0 2 3 1\n2 G 1 3 4 2\n3 C 2 4 1 3\n4 C 3 5 2 4\n",
          "train:2: the pair of letters 1 and 3");
  refused("1 G 0\n3 C 0\n", "train:2: has the number 3 where 2 follows");
  refused("1 G x\n", "train:1: has 'x' where a whole number belongs");
  refused("x\tGC\t..\nGC\n", "train:2: has 1 field, where a line ends with LETTERS and STRUCTURE");
  refused("a\tb\n", "train:1: 'b' (symbol 1 of the structure of '1') closes no pair");
  set(task_->options(), "max_memory", 0.001);
  refused(kFolds, "train:1: folding 'a' (9 letters) takes 0 MB, more than `max_memory`");
}

TEST(FoldRecordsTest, AreAsGoodAsAFile) {
  const FoldRecords records = {{"a", "GGGAAACCC", {8, 7, 6, -1, -1, -1, 2, 1, 0}},
                               {"b", "GGAAAACCA", {7, 6, -2, -1, -1, -2, 1, 0, -1}},
                               {"c", "ACGUN", {-1, -1, -1, -1, -1}}};
  expect_same_bits(
      make_fold, [](AnyTask&) {}, kFolds, records, "hcrf");
  auto task = make_fold();
  task->train_on(records);
  expect_input_error([&] { task->examples_of({{"x", "GGAACC", {4, 5, -1, -1, 0, 1}}}); }, "crosses another");
  expect_input_error(
      [&] {
        task->examples_of({{"x", "GG", {-1}}});
      },
      "'x' has 2 letters, but a structure of 1");
}

}  // namespace
}  // namespace hinge
