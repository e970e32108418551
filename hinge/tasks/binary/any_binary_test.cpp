#include "hinge/tasks/binary/any_binary.h"

#include <nlohmann/json.hpp>

#include "hinge/tasks/binary/goal.h"
#include "hinge/tasks/multiclass/any_multiclass.h"
#include "hinge/tasks/powers.h"
#include "hinge/training/fit.h"
#include "tests/support/any_task.h"

namespace hinge {
namespace {

const std::string kTrain = "+1 1:1 2:0.5\n-1 2:1\n? 3:1\n-1 1:0.5 3:1\n1 1:1 3:1\n-1 3:1\n";

class Binary : public AdapterTest {
 protected:
  Binary() : AdapterTest(make_binary()) {}
  std::unique_ptr<Data> read(const std::string& text) { return task_->read({folder_.write("later", text)}); }
};

TEST_F(Binary, AllRowsAreOneSample) {
  const auto data = train(kTrain);
  EXPECT_EQ(data->size(), 1u);
  EXPECT_EQ(data->facts(),
            nlohmann::json::parse(R"({"samples":1,"rows":6,"positives":2,"features":4,"unlabelled":1,
      "samples_that_teach_nothing":0,"unseen_labels":0,"unseen_features":0})"));
  EXPECT_EQ(power<SelectsRows>(*task_)->rows(*data), 6u);
  EXPECT_EQ(task_->feature_name(3), "bias");
  for (const std::string& name : measure_names()) {
    set(task_->options(), "measure", name);
    set(task_->options(), "at", 3);
    const auto again = train(kTrain);
    EXPECT_TRUE(task_->check(*again, {}).passed()) << name << task_->check(*again, {}).text();
  }
}

TEST_F(Binary, SamplesMayBeNamed) {
  const auto data = train("a qid:3 cost:2 1:1\nb qid:3 cost:2 2:1\nb qid:1 1:2\nb qid:1 3:2\n");
  EXPECT_EQ(data->size(), 2u);
  EXPECT_EQ(data->oracle().weight(0), 2);
  EXPECT_EQ(power<SelectsRows>(*task_)->rows(*data), std::nullopt);
  set(task_->options(), "measure", std::string("roc-area"));
  EXPECT_EQ(
      train("a qid:3 1:1\nb qid:3 2:1\nb qid:1 1:2\nb qid:1 3:2\n")->facts()["samples_that_teach_nothing"],
      1);
}

// Of a sample without a positive row there is no recall, and nothing is learned from it.
TEST_F(Binary, NothingIsRecalledWhereThereIsNothing) {
  set(task_->options(), "measure", std::string("recall@k"));
  set(task_->options(), "at", 1);
  const std::string some = "1 qid:2 1:1\n-1 qid:2 2:1\n-1 qid:2 1:1 2:1\n";
  const auto data = train("-1 qid:1 1:1\n-1 qid:1 2:1\n" + some);
  EXPECT_TRUE(task_->check(*data, {}).passed()) << task_->check(*data, {}).text();
  const auto optimum = [&](const Data& of, double C) {
    SerialExecutor executor;
    auto task = make_binary();
    set(task->options(), "measure", std::string("recall@k"));
    set(task->options(), "at", 1);
    return fit(std::move(task), of, {.method = "crf", .C = {C}, .settings = {{"gap", 1e-9}}}, executor)
        .summary.at("primal")
        .template get<double>();
  };
  EXPECT_NEAR(optimum(*data, 2), optimum(*train(some), 1), 1e-8);  // C is divided by the samples
}

TEST_F(Binary, OneClassAgainstTheRest) {
  set(task_->options(), "positive", std::string("b"));
  set(task_->options(), "bias", 0.0);
  const auto data = train("a 1:1\nb 2:1\nc 3:1\n");
  EXPECT_EQ(data->facts()["positives"], 1);
  w_ = {-1, 1, 0};
  EXPECT_EQ(predict(*task_, *read("a 1:1\n? 2:1\nnew 3:1\n")), "rest\nb\nrest\n");
  EXPECT_EQ(read("new 3:1\n")->facts()["unseen_labels"], 1);
  set(task_->predict_options(), "scores", true);
  EXPECT_EQ(predict(*task_, *read("? 1:2\nb 2:0.5\n? 2:1\n")),
            "rest -2\nb 0.5\nb 1\n");  // in the order of the file
}

TEST_F(Binary, MeasuresByHand) {
  set(task_->options(), "bias", 0.0);
  set(task_->options(), "at", 2);
  const auto trained = train("-1 1:1\n+1 2:1\n");
  w_ = {1, 0};
  const auto metrics =
      task_->evaluate(*read("1 1:3\n-1 1:2\n1 1:1\n-1 1:-1\n1 1:-2\n? 1:9\n"), w_, {}, *make_executor(1));
  EXPECT_DOUBLE_EQ(metrics["accuracy"].get<double>(), 3.0 / 5);
  EXPECT_DOUBLE_EQ(metrics["error"].get<double>(), 2.0 / 5);
  EXPECT_DOUBLE_EQ(metrics["f1"].get<double>(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(metrics["loss"].get<double>(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(metrics["prbep"].get<double>(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(metrics["precision_at_k"].get<double>(), 1.0 / 2);
  EXPECT_DOUBLE_EQ(metrics["recall_at_k"].get<double>(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(metrics["roc_area"].get<double>(), 3.0 / 6);
  EXPECT_DOUBLE_EQ(metrics["average_precision"].get<double>(), (1 + 2.0 / 3 + 3.0 / 5) / 3);
  EXPECT_EQ(metrics["unlabelled"], 1);
  EXPECT_NE(task_->report(metrics).find("ROC area"), std::string::npos);
  const auto negative = task_->evaluate(*read("-1 1:-3\n"), w_, {}, *make_executor(1));
  EXPECT_EQ(negative["f1"], 1);  // nothing positive, nothing taken for it
  EXPECT_FALSE(negative.contains("roc_area"));
  expect_input_error([&] { task_->evaluate(*read("? 1:-3\n"), w_, {}, *make_executor(1)); },
                     "no row has a label");
}

TEST_F(Binary, AModelComesBack) {
  for (const std::string& name : measure_names()) {
    set(task_->options(), "measure", name);
    set(task_->options(), "at", 3);
    const auto data = train(kTrain);
    Archive archive;
    task_->save(archive);
    const auto loaded = make_binary();
    loaded->load(archive);
    const auto later = read("1 1:1 9:1\n-1 2:2\n");
    const auto executor = make_executor(1);
    const auto again = loaded->read({folder_.path("later")});
    EXPECT_EQ(loaded->evaluate(*again, w_, {}, *executor), task_->evaluate(*later, w_, {}, *executor));
    EXPECT_EQ(predict(*loaded, *again), predict(*task_, *later));
  }
}

TEST_F(Binary, RefusesWithAFix) {
  expect_input_error([&] { train("1 1:1\n1 2:1\n"); }, "every label is '1'");
  expect_input_error([&] { train("+1 1:1\n1 2:1\n"); }, "every label is '1'");
  expect_input_error([&] { train("a 1:1\nb 2:1\nc 1:1\n"); }, "there are 3 classes, such as 'a' and 'b'");
  expect_input_error([&] { train("? 1:1\n"); }, "no row has a label");
  expect_input_error([&] { train(""); }, "has no row");
  expect_input_error([&] { train("1 1:1\n-1 qid:1 1:1\n"); },
                     "train:2: has a qid:N, but the rows before have none");
  expect_input_error([&] { train("1 qid:1 1:1\n-1 1:1\n"); },
                     "train:2: has no qid:N, but the rows before have one");
  expect_input_error([&] { train("1 qid:1 1:1\n-1 qid:2 1:1\n1 qid:1 1:1\n"); },
                     "train:3: sample 1 comes back");
  expect_input_error([&] { train("1 1:1\n-1 cost:2 1:1\n"); }, "train:2: has cost:2 where");
  set(task_->options(), "measure", std::string("precision@k"));
  expect_input_error([&] { train(kTrain); }, "and more than 10 of them");
  set(task_->options(), "measure", std::string("roc-area"));
  expect_input_error([&] { train("1 qid:1 1:1\n-1 qid:2 1:1\n"); },
                     "no sample teaches `measure` roc-area anything");
  set(task_->options(), "positive", std::string("x"));
  expect_input_error([&] { train(kTrain); }, "no row is positive: `positive` is 'x'");
}

const std::string kSongs =
    "up\tabcabcaabc\ndown\tacbacbacb\nup\tabcabcbc\ndown\tacbcacb\nup\tacbabcab\ndown\taabb c\tb\n"
    "up\tbcabcabcab\ndown\tcbabcacb\n";

class BinaryStrings : public Binary {
 protected:
  BinaryStrings() { kernel("subsequence"); }
  void kernel(const std::string& name) { set(task_->options(), "kernel", name); }
};

// Two classes have weights u and -u: scores differ by <w, x>, w = 2 u, and |u|^2 + |u|^2 is half of |w|^2. C is of the sum
// over 8 rows here, and of their mean there.
TEST_F(BinaryStrings, ReachTheOptimumOfTwoClasses) {
  const std::string file = folder_.write("songs", kSongs);
  SerialExecutor executor;
  for (const std::string name : {"spectrum", "subsequence"}) {
    const auto optimum = [&](auto task, double C) {
      set(task->options(), "kernel", name);
      set(task->options(), "kernel_length", 2);
      const auto data = task->read_training({file});
      const TrainingOptions options{.C = {C}, .settings = {{"gap", 1e-6}}};
      return fit(std::move(task), *data, options, executor).summary.at("primal").template get<double>();
    };
    auto errors = make_binary();
    set(errors->options(), "measure", std::string("error"));
    const double classes = optimum(make_multiclass(), 24);
    EXPECT_NEAR(optimum(std::move(errors), 6), 2 * classes, 1e-5 * classes);
  }
}

TEST_F(BinaryStrings, SurviveSaving) {
  for (const std::string name : {"spectrum", "subsequence"})
    for (const std::string& measure : measure_names()) {
      kernel(name);
      set(task_->options(), "measure", measure);
      set(task_->options(), "at", 3);
      set(task_->predict_options(), "scores", true);
      const auto data = train(kSongs + "?\tabcacb\n");
      EXPECT_EQ(data->facts()["rows"], 9);
      EXPECT_EQ(data->facts()["unlabelled"], 1);
      EXPECT_EQ(data->facts()["kernel_features"].get<Index>() + 1, task_->dimension());
      EXPECT_FALSE(data->facts().contains("features"));
      EXPECT_EQ(task_->feature_name(0), "kernel 1");
      EXPECT_TRUE(task_->check(*data, {}).passed()) << measure << task_->check(*data, {}).text();
      auto loaded = make_binary();
      set(loaded->predict_options(), "scores", true);
      expect_survives_saving(*data, std::move(loaded));
      EXPECT_EQ(task_->evaluate(*data, w_, {}, *make_executor(1))["rows"], 8);
    }
}

TEST_F(BinaryStrings, AreSelectedAsRowsAre) {
  const auto data =
      task_->read_training({folder_.write("songs", kSongs)}, Selection({true, true, false, false, true}));
  EXPECT_EQ(data->facts()["rows"], 3);
  EXPECT_EQ(power<SelectsRows>(*task_)->rows(*data), 3u);
}

TEST_F(BinaryStrings, RefuseWithAFix) {
  const auto refused = [&](const std::string& text, const std::string& sentence) {
    expect_input_error([&] { train(text); }, sentence);
  };
  refused(kTrain, "train:1: has no tab between a label and a string");
  refused("a\tabc\nb\n", "train:2: has no tab");
  refused("\n", "has no string");
  refused("a\tab\nb\tba\n", "no string has 3 letters");
  refused("+1\tabc\n1\tabd\n", "every label is '1'");
  set(task_->options(), "kernel_map", std::string("nystroem"));
  refused(kSongs, "use greedy or none");
  set(task_->options(), "kernel_map", std::string("greedy"));
  train(kSongs);
  expect_input_error([&] { read(kTrain); }, "later:1: has no tab");
  BinaryRecords rows;
  rows.add({{1}, {1.0f}}, "up");
  const auto& task = dynamic_cast<const RecordTask<BinaryRecords>&>(*task_);
  expect_input_error([&] { task.examples_of(rows); }, "was learned from strings");
  kernel("rbf");
  refused(kSongs, "train:1: ");
}

}  // namespace
}  // namespace hinge
