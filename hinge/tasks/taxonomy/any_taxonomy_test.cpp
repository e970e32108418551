#include "hinge/tasks/taxonomy/any_taxonomy.h"

#include <nlohmann/json.hpp>

#include "hinge/kernel_features.h"
#include "hinge/tasks/taxonomy/class_tree.h"
#include "hinge/training/fit.h"
#include "tests/support/any_task.h"

namespace hinge {
namespace {

const std::string kTrain =
    "rec.auto 1:1\nrec.sport.hockey 2:1 3:0.5\nrec.sport.ball 2:1 4:1\nsci.med cost:2 5:1\nrec.sport 2:1\n? "
    "1:1\nsci.space "
    "5:1 6:1\n";

class Taxonomy : public AdapterTest {
 protected:
  Taxonomy() : AdapterTest(make_taxonomy()) {}
  std::unique_ptr<Data> read(const std::string& text) { return task_->read({folder_.write("later", text)}); }
};

TEST_F(Taxonomy, MakesATreeOfNames) {
  const auto data = train(kTrain);
  EXPECT_EQ(data->facts(),
            nlohmann::json::parse(R"({"examples":7,"classes":8,"answers":5,"features":7,"unlabelled":1,
      "labels_above_the_answers":1,"unseen_labels":0,"unseen_features":0})"));
  EXPECT_EQ(data->oracle().dimension(), 7 * 8u);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(data->oracle().determined(i), i != 4 && i != 5) << i;
  EXPECT_EQ(task_->feature_name(0), "1 -> rec");
  EXPECT_EQ(task_->feature_name(8 * 6 + 1), "bias -> sci");
  EXPECT_EQ(task_->feature_name(4), "1 -> sci.med");
  EXPECT_TRUE(task_->check(*data, {}).passed()) << task_->check(*data, {}).text();
  set(task_->options(), "answers", std::string("all"));
  EXPECT_EQ(train(kTrain)->facts()["answers"], 8);
  set(task_->options(), "separator", std::string("port."));
  EXPECT_EQ(train("x.sport.a 1:1\nx.sport.b 2:1\n")->facts()["classes"], 3);
}

TEST_F(Taxonomy, MeasuresByHand) {
  set(task_->options(), "bias", 0.0);
  set(task_->options(), "features", std::string("observed"));
  const auto trained = train("a/b 1:1\na/c 2:1\nd 3:1\n");
  EXPECT_EQ(trained->oracle().dimension(), 5u);  // 1: a, a/b; 2: a, a/c; 3: d
  w_ = Vector(5, 1.0);
  const auto data = read("a/b 1:1\na/b 2:1\na 2:1\na/x/y 1:1\nz 3:1\n? 3:1\nd 1:1\n");
  EXPECT_EQ(data->facts()["unseen_labels"], 2);
  EXPECT_EQ(predict(*task_, *data), "a/b\na/c\na/c\na/b\nd\nd\na/b\n");
  const auto metrics = task_->evaluate(*data, w_, {}, *make_executor(2));
  EXPECT_EQ(metrics["unlabelled"], 1);
  EXPECT_DOUBLE_EQ(metrics["accuracy"].get<double>(), 2.0 / 6);
  // ways: 0; b-a-c 2; 0; y-x-a-b 3; z-root-d 2; d-root-a-b 3
  EXPECT_DOUBLE_EQ(metrics["tree_loss"].get<double>(), 0.5 * (2 + 3 + 2 + 3) / 6);
  EXPECT_EQ(metrics["loss"], metrics["tree_loss"]);
  EXPECT_DOUBLE_EQ(metrics["top_accuracy"].get<double>(), 4.0 / 6);
  EXPECT_EQ(metrics["confusion"]["a/x/y"]["a/b"], 1);
  EXPECT_NE(task_->report(metrics).find("tree loss 0.8333   right at the top 66.67 %"), std::string::npos);
}

TEST_F(Taxonomy, ReadsParents) {
  set(task_->options(), "parents",
      folder_.write("parents",
                    "# who is below whom\nhockey team winter # both\nski winter\nteam\nball team\n"));
  const auto data = train("hockey 1:1\nball 2:1\nwinter 3:1\nski 3:1\n");
  EXPECT_EQ(data->facts()["classes"], 5);
  EXPECT_EQ(data->facts()["answers"], 3);
  EXPECT_EQ(data->facts()["labels_above_the_answers"], 1);
  EXPECT_TRUE(task_->check(*data, {}).passed()) << task_->check(*data, {}).text();
}

// A comment begins a line, or stands behind a blank.
TEST_F(Taxonomy, NamesMayHaveAHash) {
  set(task_->options(), "parents", folder_.write("parents", "#all\nC# x#1 # sharp\nC x#2\nF# x#1\t#too\n"));
  set(task_->options(), "cost_matrix", folder_.write("costs", "C# C F# #\nC# 0 1 2\nC 3 0 5\nF# 6 7 0\n"));
  const auto data = train("C# 1:1\nC 2:1\nF# 3:1\n");
  EXPECT_EQ(data->facts()["classes"], 5);
  EXPECT_EQ(data->facts()["answers"], 3);
}

TEST_F(Taxonomy, AModelComesBack) {
  const std::string parents = folder_.write("parents", "a x y\nb y\nc x\n");
  const std::string costs = folder_.write("costs", "a b c\na 0 1 2\nb 1 0 2\nc 3 1 0\n");
  for (const char* features : {"all", "observed"})
    for (const bool costly : {false, true}) {
      set(task_->options(), "parents", parents);
      set(task_->options(), "features", std::string(features));
      set(task_->options(), "cost_matrix", costly ? costs : std::string());
      const auto data = train("a 1:1\nb 2:1\nc 3:1 1:2\nx 2:2\n");
      set(task_->predict_options(), "marginals", true);
      Archive archive;
      task_->save(archive);
      const auto loaded = make_taxonomy();
      loaded->load(archive);
      set(loaded->predict_options(), "marginals", true);
      EXPECT_EQ(loaded->dimension(), task_->dimension());
      const auto later = read("a 1:1 9:1\nnew 2:1\nb 3:2\n");
      EXPECT_EQ(predict(*loaded, *loaded->read({folder_.path("later")}), 3), predict(*task_, *later));
      const auto executor = make_executor(1);
      EXPECT_EQ(loaded->evaluate(*loaded->read({folder_.path("later")}), w_, {}, *executor),
                task_->evaluate(*later, w_, {}, *executor));
      archive.arrays["parents"] = std::vector<Index>{5, 5, 5, 5, 5, 5};
      expect_input_error([&] { loaded->load(archive); }, "do not fit together");
    }
}

TEST_F(Taxonomy, RefusesWithAFix) {
  const auto with = [&](const char* option, const std::string& content,
                        const std::string& data = "a 1:1\nb 2:1\n") {
    set(task_->options(), option, folder_.write("file", content));
    return [&, data] { train(data); };
  };
  expect_input_error(with("parents", "a a\nb\n"),
                     "file:1: a class is its own ancestor, 'a' below 'a' (line 1): take");
  expect_input_error(
      with("parents", "a b\nb c\nc a\n"),
      "file:3: a class is its own ancestor, 'a' below 'b' (line 1) below 'c' (line 2) below 'a' (line 3)");
  expect_input_error(with("parents", "a\n"), "lacks the class 'b' of the data");
  expect_input_error(with("parents", "# nothing\n"), "has no class");
  set(task_->options(), "separator", std::string("/"));
  expect_input_error(with("parents", "a\nb\n"),
                     "`separator` takes names apart, and with `parents` a file says");
  set(task_->options(), "separator", std::string());
  set(task_->options(), "parents", std::string());
  expect_input_error(with("cost_matrix", "a\na 0\n"), "file:1: lacks the class 'b' of the taxonomy");
  expect_input_error(with("cost_matrix", "a b\na 0 1\nb 1\n"), "found 2 words");
  expect_input_error(with("cost_matrix", "a b c\na 0 1 1\nb 1 0 1\nc 1 1 0\n"),
                     "file:1: has the class 'c', which is no answer");
  set(task_->options(), "cost_matrix", std::string());
  expect_input_error([&] { train("a 1:1\na 2:1\n"); }, "'a' is the only class to answer");
  expect_input_error([&] { train("a.b.c 1:1\na.b 2:1\n"); }, "'a.b.c' is the only class to answer");
  expect_input_error([&] { train("a. 1:1\nb 2:1\n"); },
                     "train:1: the class 'a.' has nothing before or behind a '.'");
  expect_input_error([&] { train("b 1:1\na..b 2:1\n"); }, "train:2: the class 'a..b' has nothing before");
  expect_input_error([&] { train("? 1:1\n"); }, "no example has a label");
  expect_input_error(
      [&] { train("a.x 1:1\na.y 2:1\n?a.x|a.y 3:1\n?a.y|a.x 3:1\n"); },
      "train:3: the label is one of several classes, as '?A|B' says: give the class above them");
  const auto data = train("a.x 1:1\na.y 2:1\n");
  expect_input_error([&] { read("a.x 1:1\n?a.x|a.y 3:1\n"); },
                     "later:2: the label is one of several classes");
}

// A chain of parents as long as the data likes must not exhaust the stack.
TEST(ClassTree, ServesLongChains) {
  TemporaryFolder folder;
  std::string text;
  for (int k = 0; k < 200'000; ++k) text += fmt::format("c{} c{}\n", k, k + 1);
  StringTable classes;
  classes.intern("c0");
  const ClassTree tree = ClassTree::of_file(folder.write("chain", text + "d c200000\n"), classes, true);
  EXPECT_EQ(tree.hierarchy().size(), 200'003u);
  EXPECT_EQ(tree.hierarchy().distance(tree.find("c0"), tree.find("d")), 200'001u);
}

// From a file as from rows that a program makes of the same strings.
TEST_F(Taxonomy, LearnsFromStrings) {
  const std::vector<std::pair<std::string, std::string>> lines = {
      {"song.up", "abcabcaabc"}, {"song.down", "acbacbacb"}, {"song.up", "abcabc"},     {"call", "aaabbb"},
      {"song.down", "acbcacb"},  {"call", "aabbb"},          {"song.up", "bcabcabcab"}, {"call", "aaaabb"}};
  std::string text;
  std::vector<std::string> strings;
  for (const auto& [label, song] : lines) {
    text += fmt::format("{}\t{}\n", label, song);
    strings.push_back(song);
  }
  const KernelFeatures features(strings, SpectrumKernel{.length = 3});
  TaxonomyRecords records;
  for (const auto& [label, song] : lines) records.add(features(song), label);
  auto rows = make_taxonomy();
  const auto of_rows = rows->train_on(records);
  const TrainingOptions options{.C = {20}, .settings = {{"gap", 1e-6}}};
  SerialExecutor executor;
  const double expected = fit(std::move(rows), *of_rows, options, executor).summary["primal"].get<double>();

  set(task_->options(), "kernel", std::string("spectrum"));
  const auto data = train(text);
  EXPECT_EQ(data->facts()["kernel_features"], features.size());
  EXPECT_FALSE(data->facts().contains("features"));
  EXPECT_TRUE(task_->check(*data, {}).passed()) << task_->check(*data, {}).text();
  expect_survives_saving(*data, make_taxonomy());
  auto again = make_taxonomy();
  set(again->options(), "kernel", std::string("spectrum"));
  const auto same = again->read_training({folder_.path("train")});
  EXPECT_NEAR(fit(std::move(again), *same, options, executor).summary["primal"].get<double>(), expected,
              1e-5 * expected);
  set(task_->options(), "features", std::string("observed"));
  expect_input_error([&] { train(text); }, "what strings become has all");
}

}  // namespace
}  // namespace hinge
