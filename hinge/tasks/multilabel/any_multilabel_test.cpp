#include "hinge/tasks/multilabel/any_multilabel.h"

#include <nlohmann/json.hpp>

#include "tests/support/any_task.h"

namespace hinge {
namespace {

const std::string kTrain =
    "1,3 1:1 2:0.5\n10 2:1\n 1:0.5 3:1\n1,10,?3 1:1 3:1\n10 cost:2 3:1\n3,? 1:1\n# nothing\ncost:3\n";

class Multilabel : public AdapterTest {
 protected:
  Multilabel() : AdapterTest(make_multilabel()) {}
  std::unique_ptr<Data> read(const std::string& text) { return task_->read({folder_.write("later", text)}); }
};

TEST_F(Multilabel, ReadsSetsWithUnknownLabels) {
  const auto data = train(kTrain);
  EXPECT_EQ(data->facts(), nlohmann::json::parse(R"({"examples":7,"labels":3,"pairs":2,"features":4,
      "unknown_labels":3,"unseen_labels":0,"unseen_features":0})"));
  const std::vector<bool> known = {true, true, true, false, true, false, true};
  for (std::size_t i = 0; i < known.size(); ++i) EXPECT_EQ(data->oracle().determined(i), known[i]) << i;
  EXPECT_EQ(data->oracle().weight(4), 2);
  EXPECT_EQ(data->oracle().weight(6), 3);
  EXPECT_EQ(data->oracle().dimension(), 4 * 3 + 2 * 4u);
  EXPECT_EQ(task_->feature_name(0), "1 -> 1");
  EXPECT_EQ(task_->feature_name(5), "2 -> 10");  // numbers in their order
  EXPECT_EQ(task_->feature_name(9), "bias -> 1");
  EXPECT_TRUE(task_->feature_name(12).starts_with("not ")) << task_->feature_name(12);
  EXPECT_TRUE(task_->check(*data, {}).passed()) << task_->check(*data, {}).text();
}

TEST_F(Multilabel, RecordsGiveTheSameAsFiles) {
  MultilabelRecords records;
  const auto add = [&](SparseRow row, std::vector<std::string_view> present,
                       std::vector<std::string_view> unknown = {}, bool others = false,
                       double weight = 1) { records.add(std::move(row), present, unknown, others, weight); };
  add({{1, 2}, {1, 0.5}}, {"1", "3"});
  add({{2}, {1}}, {"10"});
  add({{1, 3}, {0.5, 1}}, {});
  add({{1, 3}, {1, 1}}, {"1", "10"}, {"3"});
  add({{3}, {1}}, {"10"}, {}, false, 2);
  add({{1}, {1}}, {"3"}, {}, true);
  add({}, {}, {}, false, 3);
  auto other = make_multilabel();
  const auto made = other->train_on(std::move(records));
  const auto data = train(kTrain);
  ASSERT_EQ(made->oracle().dimension(), data->oracle().dimension());
  for (std::size_t i = 0; i < data->size(); ++i)
    for (const Side side : {Side::free, Side::clamped}) {
      Plane a, b;
      made->oracle().support(i, w_, {side}, a);
      data->oracle().support(i, w_, {side}, b);
      EXPECT_EQ(a.at(w_), b.at(w_));
    }
  MultilabelRecords bad;
  const std::vector<std::string_view> twice = {"a", "a"};
  expect_input_error([&] { bad.add({}, twice); }, "names the label 'a' twice");
}

TEST_F(Multilabel, MeasuresByHand) {
  set(task_->options(), "pairs", std::string("none"));
  set(task_->options(), "bias", 0.0);
  const auto trained = train("a 1:1\nb 2:1\nc 3:1\n");
  w_ = {1, -1, -1, -1, 1, -1, 1, -1, -1};  // feature 1 speaks for a, 2 for b, 3 for a
  const auto data = read("a 1:1\na,b 1:1\nb,new 2:1\n4:1\nc,?a 3:1\n? 1:1\n");
  EXPECT_EQ(data->facts()["unseen_labels"], 1);
  const auto metrics = task_->evaluate(*data, w_, {}, *make_executor(2));
  EXPECT_EQ(metrics["examples"], 5);
  EXPECT_EQ(metrics["unlabelled"], 1);
  EXPECT_DOUBLE_EQ(metrics["accuracy"].get<double>(), 2.0 / 5);
  EXPECT_DOUBLE_EQ(metrics["hamming_loss"].get<double>(),
                   3.0 / 15);  // 3 + 3 + 4 + 3 + 2 known, b, new and c missed
  EXPECT_DOUBLE_EQ(metrics["micro_f1"].get<double>(), 2.0 * 3 / (6 + 3));
  EXPECT_DOUBLE_EQ(metrics["macro_f1"].get<double>(), (1 + 2.0 / 3 + 0 + 0) / 4);
  EXPECT_DOUBLE_EQ(metrics["loss"].get<double>(), 3.0 / 5);
  EXPECT_EQ(metrics["labels"].size(), 4u);
  EXPECT_NE(task_->report(metrics).find("subset accuracy 40.00 % (2 of 5)"), std::string::npos);
  EXPECT_EQ(predict(*task_, *data), "a\na\nb\n\na\na\n");
  expect_input_error([&] { task_->evaluate(*data, w_, {5}, *make_executor(1)); }, "no example has a label");
}

TEST_F(Multilabel, AModelComesBack) {
  for (const char* pairs : {"none", "tree", "all"}) {
    set(task_->options(), "pairs", std::string(pairs));
    const auto data = train(kTrain);
    set(task_->predict_options(), "marginals", true);
    Archive archive;
    task_->save(archive);
    const auto loaded = make_multilabel();
    loaded->load(archive);
    set(loaded->predict_options(), "marginals", true);
    EXPECT_EQ(loaded->dimension(), task_->dimension());
    const auto later = read("10,77 1:1 9:1\n? 3:2\n");
    EXPECT_EQ(predict(*loaded, *loaded->read({folder_.path("later")}), 3), predict(*task_, *later));
    archive.arrays["pairs"] = std::vector<Index>{1, 1};
    expect_input_error([&] { loaded->load(archive); }, "do not fit together");
  }
}

// Twenty-four labels in all pairs are too many for elimination: answers say that they are approximate.
TEST_F(Multilabel, SaysWhatIsApproximate) {
  std::string text;
  for (int l = 0; l < 24; ++l) text += fmt::format("{},{} {}:1\n", l, (l + 5) % 24, l + 1);
  set(task_->options(), "pairs", std::string("all"));
  set(task_->options(), "max_cells", std::uint64_t{1000});
  const auto data = train(text);
  EXPECT_TRUE(data->oracle().may_approximate(0, {Side::excess}));
  EXPECT_GT(task_->evaluate(*data, w_, {}, *make_executor(1))["approximate"], 0);
  set(task_->options(), "pairs", std::string("tree"));
  EXPECT_FALSE(train(text)->oracle().may_approximate(0, {Side::excess}));
}

TEST_F(Multilabel, RefusesWithFileLineAndFix) {
  expect_input_error([&] { train("1,,2 1:1\n"); }, "train:1: a comma has no label");
  expect_input_error([&] { train("1, 1:1\n"); }, "train:1: a comma has no label");
  expect_input_error([&] { train("1 1:1\n2,3,2 1:1\n"); }, "train:2: the label '2' is there twice");
  expect_input_error([&] { train("1,?1 1:1\n"); }, "train:1: the label '1' is there twice");
  expect_input_error([&] { train("1:1\n2:1\n"); }, "no example has a label");
  expect_input_error([&] { train("?\n"); }, "no example has a label");
  expect_input_error([&] { train("?1,? 1:1\n?2,?1 2:1\n"); },
                     "no label of any example is known, each is '?'");
  EXPECT_EQ(train("?1,? 1:1\n?2 2:1\n")->facts()["labels"], 2);  // 1 is not in the second set
  expect_input_error([&] { train("\n# nothing\n"); }, "has no example");
  expect_input_error([&] { train("1 0:1\n"); }, "renumber the features from 1");
}

}  // namespace
}  // namespace hinge
