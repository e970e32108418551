#include "hinge/tasks/align/any_align.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hinge/tasks/align/aligned_rows.h"
#include "hinge/tasks/powers.h"
#include "hinge/tasks/predictions.h"
#include "tests/support/any_task.h"
#include "tests/support/records.h"

namespace hinge {
namespace {

const std::string kTable =
    "#a comment\n"
    "s\tone\ta\tb\tAC-DE\tACWD-\t10001\tHH-E.\tHH..-\n"
    "s\ttwo\tc\td\tGG\tGK\n"
    "s\tone\ta\te\tACDE\tA-DE\t1111\n";

class AlignAdapter : public AdapterTest {
 protected:
  AlignAdapter() : AdapterTest(make_align()) {}
};

TEST_F(AlignAdapter, SurvivesSavingAndLoading) {
  for (const char* mode : {"global", "local"})
    for (const char* structure : {"use", "ignore"}) {
      set(task_->options(), "mode", std::string(mode));
      set(task_->options(), "structure", std::string(structure));
      const auto data = train(kTable);
      expect_survives_saving(*data, make_align());
      EXPECT_EQ(task_->check(*data, {}).text(), "");
    }
}

// Pairs of equal letters score, everything else costs.
TEST_F(AlignAdapter, WritesAlignmentsThatItReads) {
  set(task_->options(), "window", 0);
  const auto data = train(kTable);
  for (Index j = 0; j < task_->dimension(); ++j) {
    const std::string name = task_->feature_name(j);
    w_[j] = name.find(" opposite ") == 1 ? (name.front() == name.back() ? 2 : -1)
            : name == "gap opens"        ? -0.5
                                         : 0;
  }
  const std::string expected = ">a\nAC-DE\n>b\nACWD-\n>c\nGG\n>d\nGK\n>a\nACDE\n>e\nA-DE\n";
  EXPECT_EQ(predict(*task_, *data), expected);
  const auto again = task_->read({folder_.write("again", expected)});
  EXPECT_EQ(predict(*task_, *again), expected);
  const auto metrics = task_->evaluate(*again, w_, {}, *make_executor(2));
  EXPECT_EQ(metrics.at("accuracy"), 1);
  EXPECT_EQ(metrics.at("known_pairs"), 3 + 2 + 3);
  set(task_->predict_options(), "marginals", true);
  const std::string more = predict(*task_, *data);
  EXPECT_NE(more.find(">b\nACWD-\n; 1 1 0."), std::string::npos) << more;
  EXPECT_EQ(task_->read({folder_.write("again", more)})->size(), 3u);
  // The best two of each, the first of which stand alone without a list.
  set(task_->predict_options(), "marginals", false);
  set(task_->predict_options(), "nbest", 2);
  const std::string both = predict(*task_, *data);
  EXPECT_EQ(both.find(">a\nAC-DE\n>b\nACWD-\n; score 5\n>a\n"), 0u) << both;
  EXPECT_EQ(task_->read({folder_.write("both", both)})->size(), 6u);
  const auto listed = power<ListsBest>(*task_)->best_labels(*data, w_, 1000, false, *make_executor(2));
  EXPECT_EQ(listed[1].size(), 6u);  // of two letters and two
  EXPECT_EQ(listed[1][0].score, 1);
  task_->decode({.max_marginals = true});
  expect_input_error([&] { predict(*task_, *data); }, "leave out one of them");
  task_->decode({});
  set(task_->read_options(), "max_memory", 0.003);
  expect_input_error(
      [&] { power<ListsBest>(*task_)->best_labels(*data, w_, 1000, false, *make_executor(1)); },
      "train:2: listing the 1000 best alignments of 'a' (4 letters) with 'b' (4) takes more "
      "than `max_memory` 0.003");
  set(task_->read_options(), "max_memory", 50.0);
  const auto large = task_->read(
      {folder_.write("large", ">a\n" + std::string(2100, 'A') + "\n>b\n" + std::string(2101, 'A') + "\n")});
  expect_input_error([&] { predict(*task_, *large); }, "large:1: listing alignments");
}

TEST_F(AlignAdapter, KnowsFamilies) {
  set(task_->options(), "balance", true);
  const auto data = train(kTable);
  EXPECT_EQ(power<HasGroups>(*task_)->groups(*data), (std::vector<std::size_t>{0, 1, 0}));
  const double expected[] = {0.75, 1.5, 0.75};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(data->oracle().weight(i), expected[i]);
  EXPECT_EQ(data->facts().at("known_letters"), 2 + 2 + 4);
  EXPECT_EQ(data->facts().at("families"), 2);
  EXPECT_FALSE(data->oracle().determined(0));
  EXPECT_TRUE(data->oracle().determined(1));
}

TEST_F(AlignAdapter, RefusesWhatIsNoPair) {
  const auto refused = [&](const std::string& text, const std::string& why) {
    expect_input_error([&] { train(text); }, why);
  };
  refused("", "holds no pair of sequences");
  refused(">a\nACD\n", "train:1: 'a' is the last sequence and has none to be aligned with");
  refused(">a\nAC-\n>b\nAC\n", "train:1: the rows of an alignment have 3 and 2 columns");
  refused(">a\n---\n>b\nACD\n", "train:1: the sequence 'a' has no letter");
  refused(">a\n>b\nACD\n", "the sequence 'a' has no letter");
  refused(">a\nAC\n\n>b\n--\n", "train:4: the sequence 'b' has no letter");
  refused(">a\nA1C\n>b\nACD\n", "train:2: '1' (letter 2 of 'a') is no letter of protein");
  refused(">a\nACDEFGH\n>b\nA-\n;c\n-C-\nD1\n>c\nA\n>d\nA\n",
          "train:7: '1' (letter 4 of 'b') is no letter of protein");
  refused("s\tf\ta\tb\tAC\tAC\ns\tf\ta\tb\tAC\tA1\n",
          "train:2: '1' (letter 2 of 'b') is no letter of protein");
  refused("; two\n>a\nACD\n>b\nAC\n", "train:2: no pair of sequences has a reference alignment");
  refused("s\tf\ta\tb\tACD\tA-D\t000\n", "no pair of sequences has a reference alignment");
  refused(">a\nacd\n>b\nacd\n", "no pair of sequences has a reference alignment");
  refused("s f a b ACD\n", "train:1: has 1 field, where a line is SET FAMILY");
  refused("s\tf\ta\tb\tAC\tAC\t1\n",
          "train:1: the rows of an alignment have 2 columns, but that of known columns has 1");
  refused("s\tf\ta\tb\tA-\tAC\t11\tH-\tH\n", "2 columns, but that of the second structure has 1");
  refused("s\tf\ta\tb\tAC\tAC\t12\n", "train:1: '2' (column 2) does not say whether a column is known");
  refused("s\tf\ta\tb\tAC\tAC\t11\tHx\tHH\n", "'x' is no secondary structure of letter 2 of 'a'");
  set(task_->options(), "max_memory", 0.001);
  refused(">a\nACD\n>b\nACD\n",
          "train:1: aligning 'a' (3 letters) with 'b' (3) takes 0 MB, more than `max_memory` 0.001");
}

TEST(AlignRecordsTest, AreAsGoodAsAFile) {
  const AlignRecords records = {{"one", "a", "b", "ACDE", "ACWD", "HHE.", "HH..", {0, -2, -2, -1}, {}},
                                {"two", "c", "d", "GG", "GK", "", "", {0, 1}, {}},
                                {"one", "a", "e", "ACDE", "ADE", "", "", {0, -1, 1, 2}, {}}};
  expect_same_bits(
      make_align, [](AnyTask&) {}, kTable, records, "hcrf");
  auto task = make_align();
  task->train_on(records);
  expect_input_error(
      [&] {
        task->examples_of({{"", "a", "b", "AC", "AC", "", "", {1, 0}, {}}});
      },
      "do not cross");
  expect_input_error(
      [&] {
        task->examples_of({{"", "a", "b", "AC", "AC", "", "", {0, 2}, {}}});
      },
      "which has 2");
  expect_input_error(
      [&] {
        task->examples_of({{"", "a", "b", "AC", "AC", "H", "", {}, {}}});
      },
      "for 1 letters");
  expect_input_error(
      [&] {
        task->examples_of({{"", "a", "b", "AC", "AC", "", "", {0, 1}, {1}}});
      },
      "opposite a gap");
}

TEST(AlignedRows, WritesSmallWhatALocalAlignmentLeavesOut) {
  const AlignedRows rows = aligned_rows("ACDEF", "WCEK", {kGap, 1, kGap, 2, kGap}, true);
  EXPECT_EQ(rows.first, "a-CDEf-");
  EXPECT_EQ(rows.second, "-wC-E-k");
  EXPECT_EQ(aligned_rows("AC", "C", {kGap, kGap}, true).first, "ac-");
  EXPECT_EQ(aligned_rows("ac", "c", {kGap, 0}, false).first, "AC");
}

}  // namespace
}  // namespace hinge
