#include "hinge/tasks/sequence_class/any_sequence_class.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/any_task.h"
#include "tests/support/records.h"

namespace hinge {
namespace {

const std::string kGestures =
    "train up 2\n0 1\n0 2\ntrain down 3\n0 -1\n0.5 -2\n0 -1\ntrain ? 1\n1 1\ntest up 1\n0 3\ntest left 2\n-1 "
    "0\n-2 0\n";

class SequenceClassAdapter : public AdapterTest {
 protected:
  SequenceClassAdapter() : AdapterTest(make_sequence_class()) {}
};

TEST_F(SequenceClassAdapter, SurvivesSavingAndLoading) {
  for (const char* kind : {"shared", "class"})
    for (int window : {0, 2}) {
      set(task_->options(), "split", std::string("train"));
      set(task_->options(), "state_features", std::string(kind));
      set(task_->options(), "window", window);
      const auto data = train(kGestures);
      Archive archive;
      task_->save(archive);
      const auto loaded = make_sequence_class();
      loaded->load(archive);
      ASSERT_EQ(loaded->dimension(), task_->dimension());
      set(task_->predict_options(), "scores", true);
      set(loaded->predict_options(), "scores", true);
      set(loaded->read_options(), "split", std::string("train"));
      const auto again = loaded->read({folder_.path("train")});
      EXPECT_EQ(predict(*loaded, *again), predict(*task_, *data, 3));
      EXPECT_EQ(loaded->feature_name(1), task_->feature_name(1));
      EXPECT_TRUE(task_->check(*data, {}).passed());
    }
}

TEST_F(SequenceClassAdapter, CountsWhatIsHiddenAndUnseen) {
  set(task_->options(), "split", std::string("train"));
  const auto data = train(kGestures);
  EXPECT_EQ(data->facts().at("sequences"), 3);
  EXPECT_EQ(data->facts().at("classes"), 2);
  EXPECT_EQ(data->facts().at("sequences_without_a_class"), 1);
  set(task_->read_options(), "split", std::string());
  const auto all = task_->read({folder_.path("train")});
  EXPECT_EQ(all->facts().at("sequences_of_a_class_unseen_in_training"), 1);
  const auto metrics = task_->evaluate(*all, w_, {}, *make_executor(1));
  EXPECT_EQ(metrics.at("examples"), 4);
  EXPECT_EQ(metrics.at("unlabelled"), 1);
  EXPECT_EQ(metrics.at("confusion").at("left").size(), 1u);
  EXPECT_NE(task_->report(metrics).find("left"), std::string::npos);
}

TEST_F(SequenceClassAdapter, WritesProbabilitiesThatAddUpToOne) {
  const auto data = train(kGestures);
  set(task_->predict_options(), "marginals", true);
  std::istringstream lines(predict(*task_, *data));
  std::string line;
  std::size_t count = 0;
  while (std::getline(lines, line)) {
    double sum = 0;
    for (std::size_t at = line.find(':'); at != std::string::npos; at = line.find(':', at + 1))
      sum += std::stod(line.substr(at + 1));
    EXPECT_NEAR(sum, 1, 3e-5);  // six digits each
    ++count;
  }
  EXPECT_EQ(count, data->size());
}

TEST_F(SequenceClassAdapter, NamesItsWeights) {
  set(task_->options(), "states", 2);
  train("a 1\n1 2\nb 1\n1 2\n");
  EXPECT_EQ(task_->dimension(), 2u * 2 + 2 * 2 + 2 * 2 * 2);
  EXPECT_EQ(task_->feature_name(3), "channel 2 -> state 2");
  EXPECT_EQ(task_->feature_name(6), "b/1");
  EXPECT_EQ(task_->feature_name(14), "b/2 , b/1");
  set(task_->options(), "state_features", std::string("class"));
  set(task_->options(), "window", 1);
  train("a 1\n1 2\nb 1\n1 2\n");
  EXPECT_EQ(task_->feature_name(4 * 1 + 2), "channel 2[-1] -> b/1");
}

TEST_F(SequenceClassAdapter, RefusesWhatTeachesNothing) {
  expect_input_error([&] { train("? 1\n1\n"); }, "no sequence has a label");
  expect_input_error([&] { train("a 1\n1\n? 1\n2\n"); }, "every label is 'a'");
  set(task_->options(), "states", 1);
  expect_input_error([&] { train("a 1\n1\nb 1\n2\n"); }, "one state that all classes share");
  set(task_->options(), "state_features", std::string("class"));
  const auto data = train("a 1\n1\nb 1\n2\n");
  EXPECT_TRUE(data->oracle().determined(0));
  expect_input_error([&] { task_->read({folder_.write("wide", "a 1\n1 2\n")}); },
                     "has 2 numbers where a frame of 1 belongs");
  set(task_->predict_options(), "scores", true);
  set(task_->predict_options(), "marginals", true);
  expect_input_error([&] { predict(*task_, *data); }, "give one of them");
}

TEST(FramesRecordsTest, AreAsGoodAsAFile) {
  FramesRecords records;
  records.add({2, {0, 1, 0, 2}}, "up");
  records.add({2, {0, -1, 0.5f, -2, 0, -1}}, "down");
  records.add({2, {1, 1}}, std::nullopt);
  const auto configure = [](AnyTask& task) { set(task.options(), "states", 2); };
  expect_same_bits(make_sequence_class, configure, "up 2\n0 1\n0 2\ndown 3\n0 -1\n0.5 -2\n0 -1\n? 1\n1 1\n",
                   records, "hcrf");
  expect_input_error([&] { records.add({3, {0, 1, 0}}, "up"); }, "sequence 3 has 3 channels");
  expect_input_error([&] { records.add({2, {0, 1, 0}}, "up"); }, "give whole frames");
  auto task = make_sequence_class();
  task->train_on(records);
  FramesRecords others;
  others.add({1, {5}}, "up");
  expect_input_error([&] { task->examples_of(others); }, "sequence 0 has 1 channels, where training had 2");
}

}  // namespace
}  // namespace hinge
