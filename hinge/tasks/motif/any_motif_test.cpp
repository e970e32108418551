#include "hinge/tasks/motif/any_motif.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/any_task.h"
#include "tests/support/records.h"

namespace hinge {
namespace {

const std::string kSequences = "a:1:1:ACGTTACA\nb:-1:1:CCCGT\nc:1:1:TTACNG\nd:-1:0:GGGGTA\ne:?:1:TACA\n";

class MotifAdapter : public AdapterTest {
 protected:
  MotifAdapter() : AdapterTest(make_motif()) { lengths({3}); }
  void lengths(std::vector<double> values) { set(task_->options(), "length", std::move(values)); }
};

TEST_F(MotifAdapter, SurvivesSavingAndLoading) {
  for (const char* strands : {"forward", "both"})
    for (int order : {0, 2}) {
      set(task_->options(), "strands", std::string(strands));
      set(task_->options(), "background_order", order);
      const auto data = train(kSequences);
      expect_survives_saving(*data, make_motif());
      EXPECT_TRUE(task_->check(*data, {}).passed());
    }
}

TEST_F(MotifAdapter, WeighsSequences) {
  set(task_->options(), "negative_weight", 0.5);
  set(task_->options(), "background_weight", 0.1);
  const auto data = train(kSequences);
  const double expected[] = {1, 0.5, 1, 0.05, 1};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_DOUBLE_EQ(data->oracle().weight(i), expected[i]);
  EXPECT_EQ(data->facts().at("with_the_motif"), 2);
  EXPECT_EQ(data->facts().at("of_unknown_class"), 1);
  EXPECT_EQ(data->facts().at("with_ambiguous_letters"), 1);
  const auto metrics = task_->evaluate(*data, w_, {}, *make_executor(1));
  EXPECT_EQ(metrics.at("examples"), 4);
  EXPECT_EQ(metrics.at("unlabelled"), 1);
}

// Weights that find TAC, or on the other strand GTA.
TEST_F(MotifAdapter, SaysWhereTheMotifIs) {
  set(task_->options(), "strands", std::string("both"));
  set(task_->options(), "background_order", 0);
  const auto data = train(kSequences);
  ASSERT_EQ(task_->feature_name(0), "A at 1");
  for (Index j = 0; j < task_->dimension(); ++j) {
    const std::string name = task_->feature_name(j);
    w_[j] = name == "T at 1" || name == "A at 2" || name == "C at 3" ? 1 : name.starts_with("b") ? 0 : -1;
  }
  EXPECT_EQ(predict(*task_, *data),
            "#name\tclass\tscore\tposition\tstrand\tsite\n"
            "a\t1\t3\t5\t+\tTAC\n"
            "b\t-1\t-1\t1\t+\tCCC\n"
            "c\t1\t3\t2\t+\tTAC\n"
            "d\t1\t3\t4\t-\tTAC\n"
            "e\t1\t3\t1\t+\tTAC\n");
}

TEST_F(MotifAdapter, ReadsPairsOfFiles) {
  set(task_->options(), "positive", std::vector{folder_.write("p", ">x\nACGT\n")});
  set(task_->options(), "negative", std::vector{folder_.write("n", ">y\nACGT\n>z\nACGTT\n")});
  const auto data = task_->read_training({});
  EXPECT_EQ(data->size(), 3u);
}

TEST_F(MotifAdapter, RefusesWhatTeachesNothing) {
  expect_input_error([&] { train("a:-1:1:ACG\n"); }, "no sequence is known to hold the motif");
  expect_input_error([&] { train("a:1:1:ACG\nb:?:1:ACG\n"); },
                     "no sequence is known to be without the motif");
  expect_input_error([&] { train("a:1:1:ACG\nb:-1:1:AC\n"); }, "train:2: 'b' has 2 letters");
  lengths({3, 4});
  expect_input_error([&] { train(kSequences); }, "give one `length`");
  lengths({2.5});
  expect_input_error([&] { train(kSequences); }, "must be a whole number");
  lengths({0});
  expect_input_error([&] { train(kSequences); }, "`length`");
  lengths({3});
  set(task_->options(), "alphabet", std::string("protein"));
  set(task_->options(), "strands", std::string("both"));
  expect_input_error([&] { train(kSequences); }, "a protein has one strand");
}

TEST(MotifRecordsTest, AreAsGoodAsAFile) {
  const MotifRecords records = {{"a", "ACGTTACA", true, false},
                                {"b", "CCCGT", false, false},
                                {"c", "TTACNG", true, false},
                                {"d", "GGGGTA", false, true},
                                {"e", "taca", std::nullopt, false}};
  const auto configure = [](AnyTask& task) { set(task.options(), "length", std::vector<double>{3}); };
  expect_same_bits(make_motif, configure, kSequences, records, "mssvm");
  auto task = make_motif();
  configure(*task);
  task->train_on(records);
  expect_input_error(
      [&] {
        task->examples_of({{"x", "AC-T", {}, false}});
      },
      "'-' (letter 3 of 'x') is no letter");
  expect_input_error([&] { task->examples_of({{"x", "AC", {}, false}}); }, "'x' has 2 letters, too few");
}

}  // namespace
}  // namespace hinge
