#include "hinge/tasks/graph/any_graph.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hinge/core/errors.h"
#include "tests/support/any_task.h"
#include "tests/support/records.h"

namespace hinge {
namespace {

const std::string kGraphs =
    "{\"id\":7,\"features\":[[1,0],[0,1],[1,1]],\"labels\":[\"a\",\"b\",null],\"edges\":[[0,1],[1,2]]}\n"
    "{\"features\":[{\"0\":1},[\"1\"]],\"labels\":[\"a\",\"b\"],\"edges\":[[1,0]]}\n";

class AnyGraphTest : public AdapterTest {
 protected:
  AnyGraphTest() : AdapterTest(make_graph()) {}
};

TEST_F(AnyGraphTest, SurvivesSavingAndLoading) {
  for (const char* weights : {"shared", "position"}) {
    set(task_->options(), "weights", std::string(weights));
    set(task_->options(), "bias", 1.0);
    const auto data =
        train("{\"labels\":[0,1,null],\"hidden\":[false,false,true],\"edges\":[[0,2],[1,2]]}\n");
    Archive archive;
    task_->save(archive);
    archive.header["graph"]["model"]["bias"] = true;  // as earlier versions wrote it
    const auto other = make_graph();
    other->load(archive);
    ASSERT_EQ(other->dimension(), task_->dimension());
    for (Index j = 0; j < task_->dimension(); ++j) EXPECT_EQ(other->feature_name(j), task_->feature_name(j));
    EXPECT_EQ(predict(*other, *other->read({folder_.path("train")})), predict(*task_, *data));
  }
}

TEST_F(AnyGraphTest, WeightsHaveNamesOfTheirOwn) {
  train(
      "{\"labels\":[0,1,null,1],\"states\":[2,3,2,null],\"hidden\":[false,false,true,false],"
      "\"node_types\":[\"p\",\"p\",\"q\",\"q\"],\"features\":[[1],[1],[1],[1]],"
      "\"edges\":[[0,2],[1,2],[0,1],[2,3]],\"edge_types\":[\"s\",\"t\",\"s\",\"s\"]}\n");
  std::vector<std::string> names;
  for (Index j = 0; j < task_->dimension(); ++j) names.push_back(task_->feature_name(j));
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

TEST_F(AnyGraphTest, PredictsInTheFormOfTheData) {
  const auto data = train(kGraphs);
  set(task_->predict_options(), "marginals", true);
  set(task_->predict_options(), "scores", true);
  const std::string text = predict(*task_, *data);
  const auto first = nlohmann::json::parse(text.substr(0, text.find('\n')));
  EXPECT_EQ(first["id"], 7);
  EXPECT_EQ(first["features"], nlohmann::json::parse("[[1,0],[0,1],[1,1]]"));
  ASSERT_EQ(first["labels"].size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(first["labels"][i] == "a" || first["labels"][i] == "b");
    EXPECT_NEAR(first["marginals"][i][0].get<double>() + first["marginals"][i][1].get<double>(), 1, 1e-12);
  }
  // What was written can be read, and has the predicted labels.
  folder_.write("again", text);
  const auto again = task_->read({folder_.path("again")});
  const auto metrics = task_->evaluate(*again, w_, {}, *make_executor(1));
  EXPECT_EQ(metrics["accuracy"], 1.0);
  EXPECT_EQ(metrics["graph_accuracy"], 1.0);
  EXPECT_EQ(metrics["loss"], 0.0);
}

TEST_F(AnyGraphTest, FillKeepsWhatIsKnown) {
  const auto data = train(kGraphs);
  set(task_->predict_options(), "fill", true);
  std::istringstream lines(predict(*task_, *data));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(nlohmann::json::parse(line)["labels"][0], "a");
  EXPECT_EQ(nlohmann::json::parse(line)["labels"][1], "b");
  EXPECT_FALSE(nlohmann::json::parse(line)["labels"][2].is_null());
}

// Answers stay within a set that is given, also where another label is better, and their probabilities sum to 1 there.
TEST_F(AnyGraphTest, FillKeepsToSets) {
  train("{\"labels\":[\"a\",\"b\",\"c\"],\"edges\":[[0,1],[1,2]]}\n");
  const auto data = task_->read(
      {folder_.write("sets", "{\"labels\":[[\"b\",\"c\"],null,\"a\"],\"edges\":[[0,1],[1,2]]}\n")});
  set(task_->predict_options(), "fill", true);
  set(task_->predict_options(), "marginals", true);
  for (const double sign : {-1.0, 1.0}) {
    for (std::size_t j = 0; j < w_.size(); ++j) w_[j] = sign * static_cast<double>(j % 3);
    const auto line = nlohmann::json::parse(predict(*task_, *data));
    EXPECT_NE(line["labels"][0], "a");
    EXPECT_EQ(line["labels"][2], "a");
    EXPECT_EQ(line["marginals"][0][0], 0.0);
    EXPECT_NEAR(line["marginals"][0][1].get<double>() + line["marginals"][0][2].get<double>(), 1, 1e-12);
  }
}

TEST_F(AnyGraphTest, AnswersTheSameForAnyNumberOfThreads) {
  std::string text;
  for (int k = 0; k < 20; ++k) text += kGraphs;
  const auto data = train(text);
  const std::string one = predict(*task_, *data);
  EXPECT_EQ(predict(*task_, *data, 2), one);
  EXPECT_EQ(predict(*task_, *data, 7), one);
}

TEST_F(AnyGraphTest, CountsKnownNodesAlone) {
  const auto data = train(kGraphs);
  const auto metrics = task_->evaluate(*data, w_, {0}, *make_executor(1));
  EXPECT_EQ(metrics["nodes"], 2);
  EXPECT_EQ(metrics["unlabelled_nodes"], 1);
  const auto unknown = task_->read({folder_.write("u", "{\"labels\":[null]}\n")});
  EXPECT_THROW(task_->evaluate(*unknown, w_, {}, *make_executor(1)), InputError);
  const auto unseen = task_->read({folder_.write("v", "{\"labels\":[\"z\"]}\n")});
  const auto wrong = task_->evaluate(*unseen, w_, {}, *make_executor(1));
  EXPECT_EQ(wrong["accuracy"], 0.0);
  EXPECT_EQ(wrong["unseen_label_nodes"], 1);
}

TEST_F(AnyGraphTest, LabelsAChainOfAMillionNodes) {
  constexpr std::size_t kNodes = 1'000'000;
  std::string labels, edges;
  for (std::size_t i = 0; i < kNodes; ++i) {
    labels += i % 3 == 0 ? "1," : "0,";
    if (i + 1 < kNodes) edges += fmt::format("[{},{}],", i, i + 1);
  }
  labels.pop_back();
  edges.pop_back();
  const auto data = train(fmt::format("{{\"labels\":[{}],\"edges\":[{}]}}\n", labels, edges));
  const auto metrics = task_->evaluate(*data, w_, {}, *make_executor(1));
  EXPECT_EQ(metrics["nodes"], kNodes);
  EXPECT_EQ(metrics["approximate"], 0);
}

TEST(GraphRecordsTest, AreAsGoodAsAFile) {
  const GraphRecords records = {[](GraphBuilder& builder) {
    const auto node = [&](std::vector<double> row, std::optional<std::string_view> label) {
      for (std::size_t f = 0; f < row.size(); ++f)
        if (const Index number = builder.node_feature(std::to_string(f)); row[f] != 0)
          builder.feature(number, row[f]);
      builder.node({.label = label});
    };
    node({1, 0}, "a");
    node({0, 1}, "b");
    node({1, 1}, std::nullopt);
    builder.edge(0, 1, "", false);
    builder.edge(1, 2, "", false);
    builder.end_graph("");
    node({1}, "a");
    node({0, 1}, "b");
    builder.edge(1, 0, "", false);
    builder.end_graph("");
  }};
  expect_same_bits(
      make_graph, [](AnyTask& task) { set(task.options(), "bias", 1.0); }, kGraphs, records, "hcrf");
}

TEST(GraphRecordsTest, HaveAnyTextForALabelAndSayWhichGraphIsWrong) {
  auto task = make_graph();
  const auto data = task->train_on({[](GraphBuilder& builder) {
    for (const char* label : {"?", "-1"}) builder.node({.label = label});
    builder.end_graph("");
  }});
  EXPECT_EQ(data->facts()["labels"], 2);
  EXPECT_EQ(data->facts()["nodes_without_a_label"], 0);
  expect_input_error(
      [&] {
        task->train_on({[](GraphBuilder& builder) {
          builder.node({.label = "a"});
          builder.end_graph("");
          builder.node({.label = "b"});
          builder.edge(0, 1, "", false);
        }});
      },
      "graph 1: the edge 0-1 has an end that is no node");
}

}  // namespace
}  // namespace hinge
