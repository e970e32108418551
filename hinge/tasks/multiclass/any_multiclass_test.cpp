#include "hinge/tasks/multiclass/any_multiclass.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hinge/core/errors.h"
#include "tests/support/any_task.h"
#include "tests/support/data.h"
#include "tests/support/records.h"
#include "tests/support/temporary_folder.h"

namespace hinge {
namespace {

// The last piece first: results must not depend on the order of execution.
class BackwardExecutor final : public Executor {
 public:
  std::size_t workers() const override { return 3; }
  void run(std::size_t count, const std::function<void(std::size_t)>& body) override {
    while (count-- > 0) body(count);
  }
};

class Multiclass : public ::testing::Test {
 protected:
  void SetUp() override { set(task_->options(), "bias", 0.0); }  // fewer features to look at
  std::unique_ptr<Data> train(const std::string& text) {
    return task_->read_training({folder_.write("train.svm", text)});
  }
  std::unique_ptr<Data> read(const std::string& text) {
    return task_->read({folder_.write("later.svm", text)});
  }
  std::string predict(const Data& data, Weights w) {
    OutputFile out(folder_.path("out"));
    task_->predict(data, w, executor_, out);
    out.commit();
    return folder_.read("out");
  }
  template <class Body>
  void expect_trouble(const std::string& sentence, Body&& body) {
    try {
      body();
      ADD_FAILURE() << "no trouble; expected " << sentence;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(sentence), std::string::npos) << error.what();
    }
  }

  TemporaryFolder folder_;
  BackwardExecutor executor_;
  std::unique_ptr<AnyTask> task_ = make_task("multiclass");
};

const std::string kTrain = "10 1:1 7:2\n9 7:1\n10 100:1\n? 1:1\n";

TEST_F(Multiclass, NotesLabelsThatLookLikeSeveral) {
  EXPECT_FALSE(train("a,b 1:1\n1.5 2:1\n")->facts().contains("note"));
  const auto data = train("2 1:1\n3 2:1\n2,3 1:0.5\n");
  EXPECT_NE(data->facts()["note"].get<std::string>().find("train.svm:3 has the label '2,3'"),
            std::string::npos);
  EXPECT_TRUE(read("2,3 1:1\n")->facts().contains("note"));
}

TEST_F(Multiclass, NumbersClassesAndFeatures) {
  const auto data = train(kTrain);
  EXPECT_EQ(data->size(), 4u);
  EXPECT_EQ(data->oracle().dimension(), 6u);
  EXPECT_TRUE(data->oracle().determined(0));
  EXPECT_FALSE(data->oracle().determined(3));
  EXPECT_EQ(data->facts(), nlohmann::json::parse(R"({"examples":4,"classes":2,"features":3,"entries":5,
      "unlabelled":1,"unseen_labels":0,"unseen_features":0})"));
  EXPECT_EQ(task_->feature_name(0), "1 -> 9");
  EXPECT_EQ(task_->feature_name(3), "7 -> 10");
  EXPECT_TRUE(task_->check(*data, {}).passed());
}

TEST_F(Multiclass, CountsWhatTrainingNeverSaw) {
  const auto trained = train(kTrain);
  const auto later = read("9 7:1 8:1\n11 1:1\n11 2:1\n12\n");
  EXPECT_EQ(later->facts()["unseen_features"], 2);
  EXPECT_EQ(later->facts()["unseen_labels"], 3);
  const Vector w(6, 0.0);
  const auto metrics = task_->evaluate(*later, w, {}, executor_);  // ties go to class 9
  EXPECT_EQ(metrics["examples"], 4);
  EXPECT_EQ(metrics["accuracy"], 0.25);
  EXPECT_EQ(metrics["loss"], 0.75);
  EXPECT_EQ(metrics["confusion"]["11"]["9"], 2);
  EXPECT_EQ(metrics["labels"].size(), 4u);
  EXPECT_EQ(predict(*later, w), "9\n9\n9\n9\n");
}

TEST_F(Multiclass, EvaluatesASubset) {
  const auto data = train(kTrain);
  Vector w(6, 0.0);
  w[0 * 2 + 1] = 1;  // feature 1 speaks for class 10
  w[1 * 2 + 0] = 1;  // feature 7 for class 9
  const auto all = task_->evaluate(*data, w, {}, executor_);
  EXPECT_DOUBLE_EQ(all["accuracy"].get<double>(), 1.0 / 3);
  EXPECT_EQ(all["unlabelled"], 1);
  EXPECT_EQ(task_->evaluate(*data, w, {1}, executor_)["accuracy"], 1.0);
  EXPECT_EQ(task_->evaluate(*data, w, {0, 3}, executor_)["loss"], 1.0);
  EXPECT_NE(task_->report(all).find("accuracy 33.33 % (1 of 3)"), std::string::npos);
  expect_trouble(":2: '?a||b' has '' among its labels", [&] { train("a 1:1\n?a||b 2:1\n"); });
  expect_trouble("no example has a label", [&] { task_->evaluate(*data, w, {3}, executor_); });
}

TEST_F(Multiclass, PredictsWithScoresOrProbabilities) {
  const auto data = train("a 1:1\nb 2:2\n");
  const Vector w = {0, std::log(3.0), 1.5, 0};
  EXPECT_EQ(predict(*data, w), "b\na\n");
  set(task_->predict_options(), "scores", true);
  EXPECT_EQ(predict(*data, w), "b a:0 b:1.09861\na a:3 b:0\n");
  set(task_->predict_options(), "marginals", true);
  expect_trouble("give one of them", [&] { predict(*data, w); });
  set(task_->predict_options(), "scores", false);
  EXPECT_EQ(predict(*data, w), "b a:0.25 b:0.75\na a:0.952574 b:0.0474259\n");
}

TEST_F(Multiclass, BiasIsOneMoreFeature) {
  const auto fresh = make_task("multiclass");
  EXPECT_EQ(fresh->read_training({folder_.write("train.svm", "a 1:1\nb 2:2\n")})->oracle().dimension(), 6u);
  set(task_->options(), "bias", 0.5);
  const auto data = train("a 1:1\nb 2:2\n");
  EXPECT_EQ(data->oracle().dimension(), 6u);
  EXPECT_EQ(task_->feature_name(5), "bias -> b");
  const Vector w = {0, 0, 0, 0, 0, 3};
  set(task_->predict_options(), "scores", true);
  EXPECT_EQ(predict(*read("? 9:1\n"), w), "b a:0 b:1.5\n");
}

TEST_F(Multiclass, CostsComeFromAMatrix) {
  set(task_->options(), "cost_matrix", folder_.write("costs", "b a c\na 2 0 4\nb 0 3 1\nc 1 1 0\n"));
  const auto data = train("b 1:1\na 2:1\n");
  EXPECT_EQ(data->facts()["classes"], 3);
  EXPECT_TRUE(task_->check(*data, {}).passed());
  Vector w(6, 0.0);
  EXPECT_EQ(task_->evaluate(*data, w, {}, executor_)["loss"], 1.5);  // all taken for a
  w[2] = w[5] = 1;                                                   // all taken for c
  EXPECT_EQ(task_->evaluate(*data, w, {}, executor_)["loss"], 2.5);
  expect_trouble("lacks the class 'd' of the data", [&] { train("a 1:1\nd 1:1\n"); });
}

TEST_F(Multiclass, WeighsClasses) {
  const std::string text = "a 1:1\nb 1:1\nb 1:1\nb cost:2 1:1\n? 1:1\n";
  const auto weights = [&](std::vector<std::string> option) {
    set(task_->options(), "class_weights", std::move(option));
    const auto data = train(text);
    std::vector<double> result;
    for (std::size_t i = 0; i < data->size(); ++i) result.push_back(data->oracle().weight(i));
    return result;
  };
  EXPECT_EQ(weights({}), (std::vector<double>{1, 1, 1, 2, 1}));
  EXPECT_EQ(weights({"a:3"}), (std::vector<double>{3, 1, 1, 2, 1}));
  EXPECT_EQ(weights({"balanced"}), (std::vector<double>{2.5, 0.625, 0.625, 1.25, 1}));
  for (const char* bad : {"a", "a:", "a:x", "a:0", "a:-1", "balanced:x"})
    expect_trouble("takes CLASS:W", [&] { weights({bad}); });
  expect_trouble("no example has that label", [&] { weights({"c:1"}); });
}

TEST_F(Multiclass, NamesFeatures) {
  set(task_->options(), "feature_names", folder_.write("names", "one\ntwo\ntwo\nfour\n"));
  const auto data = train("a 2:1\nb 3:1 4:1\n");
  EXPECT_EQ(task_->feature_name(1), "two -> b");
  EXPECT_EQ(task_->feature_name(2), "two -> a");
  EXPECT_EQ(task_->feature_name(4), "four -> a");
  expect_trouble("names:4: is the last line, but the data has the feature 5",
                 [&] { train("a 2:1\nb 5:1\n"); });
}

TEST_F(Multiclass, ComesBackFromAnArchive) {
  set(task_->options(), "bias", 2.0);
  set(task_->options(), "cost_matrix", folder_.write("costs", "a b\na 0 4\nb 3 0\n"));
  set(task_->options(), "feature_names", folder_.write("names", "one\ntwo\n"));
  const auto trained = train("a 1:1\nb 2:2\n");
  const Vector w = {1, 2, 3, 4, 5, 5.5};
  const std::string later = "b 1:1 2:1\na 2:-1\nc 3:1\n";
  const auto metrics = task_->evaluate(*read(later), w, {}, executor_);
  Archive archive;
  task_->save(archive);

  const auto loaded = make_task("multiclass");
  loaded->load(archive);
  const auto data = loaded->read({folder_.path("later.svm")});
  EXPECT_EQ(loaded->evaluate(*data, w, {}, executor_), metrics);
  EXPECT_EQ(loaded->feature_name(3), "two -> b");
  EXPECT_EQ(data->oracle().dimension(), 6u);
  EXPECT_EQ(trained->oracle().dimension(), 6u);

  for (const auto& [name, array] : archive.arrays) {
    Archive lacking = archive;
    lacking.arrays.erase(name);
    expect_trouble("has no array '" + name + "'", [&] { make_task("multiclass")->load(lacking); });
  }
  const auto refuses = [&](const std::string& name, Archive::Array array) {
    Archive bad = archive;
    bad.arrays[name] = std::move(array);
    expect_trouble("do not fit together", [&] { make_task("multiclass")->load(bad); });
  };
  refuses("features", std::vector<Index>{2, 1});
  refuses("features", std::vector<Index>{1, 1});
  refuses("features", std::vector<Index>{1, 2, 3});
  refuses("bias", std::vector<double>{});
  refuses("costs", std::vector<double>{1, 2, 3});
  refuses("feature_name", std::vector<Index>{0, 2});
}

TEST_F(Multiclass, RefusesDataThatTeachesNothing) {
  expect_trouble("has no example", [&] { train(""); });
  expect_trouble("has no example", [&] { train("\n \r\n\n"); });
  expect_trouble("every label is '1'", [&] { train("1 1:1\n1 2:1\n"); });
  expect_trouble("every label is '1'", [&] { train("1 1:1\n"); });
  expect_trouble("no example has a label", [&] { train("? 1:1\n? 2:1\n"); });
  expect_trouble("cannot be read", [&] { task_->read_training({folder_.path("missing")}); });
  set(task_->options(), "bias", -1.0);
  expect_trouble("`bias`", [&] { train(kTrain); });
}

TEST(TaskKinds, MakesEachByName) {
  for (const auto& kind : task_kinds()) EXPECT_EQ(make_task(kind.name)->name(), kind.name);
  EXPECT_THROW(make_task("astrology"), InputError);
}

TEST_F(Multiclass, ReadsNews20) {
  const auto file = data_file("news20/train.svm");
  if (!file) GTEST_SKIP() << "skipped: no data";
  const auto data = task_->read_training({*file});
  EXPECT_EQ(data->facts()["examples"], 11314);
  EXPECT_EQ(data->facts()["classes"], 20);
  EXPECT_EQ(data->facts()["features"], 22169);
  const auto test = task_->read({*data_file("news20/test.svm")});
  EXPECT_EQ(test->facts()["examples"], 7532);
  EXPECT_EQ(test->facts()["unseen_labels"], 0);
}

TEST(MulticlassRecordsTest, AreAsGoodAsAFile) {
  MulticlassRecords records;
  records.add({{1, 7}, {1, 2}}, "cat");
  records.add({{7}, {0.5f}}, "dog", 2);
  records.add({{1, 100}, {1, -1}}, std::nullopt);
  records.add({{100}, {1}}, "ant");
  expect_same_bits(
      make_multiclass, [](AnyTask& task) { set(task.options(), "bias", 0.5); },
      "cat 1:1 7:2\ndog cost:2 7:0.5\n? 1:1 100:-1\nant 100:1\n", records, "hcrf");
}

TEST(MulticlassRecordsTest, HaveAnyTextForAClass) {
  MulticlassRecords records;
  records.add({{0}, {1}}, "?");
  records.add({{1}, {1}}, "a b");
  const auto data = make_multiclass()->train_on(records);
  EXPECT_EQ(data->facts()["classes"], 2);
  EXPECT_EQ(data->facts()["unlabelled"], 0);
}

TEST(MulticlassRecordsTest, SayWhatIsWrong) {
  MulticlassRecords records;
  records.add({{1}, {1}}, "a");
  expect_input_error([&] { records.add({{2, 1}, {1, 1}}, "a"); }, "the indices of row 1 do not ascend");
  expect_input_error([&] { records.add({{1}, {1, 2}}, "a"); }, "row 1 has 1 indices, but 2 values");
  expect_input_error([&] { records.add({{1}, {INFINITY}}, "a"); }, "row 1 has a value that is not a finite");
  expect_input_error([&] { records.add({{1}, {1}}, "a", 0); }, "row 1 has the weight 0");
  expect_input_error([&] { records.add({{0xfffffff0}, {1}}, "a"); }, "row 1 has the index");
}

TEST(MulticlassRecordsTest, TrainingThatFailsLeavesTheTaskAsItWas) {
  auto task = make_multiclass();
  MulticlassRecords records;
  records.add({{1}, {1}}, "a");
  records.add({{2}, {1}}, "b");
  task->train_on(records);
  EXPECT_EQ(task->dimension(), 6u);
  EXPECT_THROW(task->read_training({"no/such/file"}), InputError);
  EXPECT_EQ(task->dimension(), 6u);
  EXPECT_EQ(task->examples_of(records)->size(), 2u);
}

}  // namespace
}  // namespace hinge
