#include "hinge/tasks/cluster/any_cluster.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/any_task.h"

namespace hinge {
namespace {

const std::string kTrain =
    R"({"items": ["Ann", "Bob", "ann", "bob", "Ann"], "clusters": [[0, 2, 4], [1, 3]]})"
    "\n"
    R"({"items": ["Eve", "Eve", "Joe"], "clusters": [[0, 1]]})"
    "\n"
    R"({"items": ["alone"], "clusters": [[0]]})"
    "\n";

class AnyCluster : public AdapterTest {
 protected:
  AnyCluster() : AdapterTest(make_cluster()) { set(task_->options(), "comparators", Texts{"equal:text"}); }
  using Texts = std::vector<std::string>;
};

TEST_F(AnyCluster, TrainsPredictsAndChecksEveryStructure) {
  for (const char* structure : {"forest", "antecedents", "correlation", "pairwise"}) {
    set(task_->options(), "structure", std::string(structure));
    const auto data = train(kTrain);
    EXPECT_EQ(data->size(), 3u);
    EXPECT_EQ(task_->check(*data), "");
    EXPECT_EQ(task_->dimension(), 3u);  // link, same, different
    for (Index f = 0; f < 3; ++f)
      w_[f] = task_->feature_name(f) == "equal:text same" ? 2 : task_->feature_name(f) == "link" ? 0 : -1;
    const std::string predicted = predict(*task_, *data);
    EXPECT_NE(predicted.find(R"("clusters":[[0,2,4],[1,3]])"), std::string::npos) << predicted;
    EXPECT_NE(predicted.find(R"({"items":["alone"],"clusters":[[0]]})"), std::string::npos);
    const nlohmann::json metrics = task_->evaluate(*data, w_, {}, *make_executor(2));
    EXPECT_EQ(metrics["conll_f1"], 1.0);
    EXPECT_EQ(metrics["pair_loss"], 0.0);
    EXPECT_EQ(metrics["loss"], 0.0);
    EXPECT_EQ(predict(*task_, *data, 3), predicted);

    Archive archive;
    task_->save(archive);
    auto loaded = make_cluster();
    loaded->load(archive);
    EXPECT_EQ(predict(*loaded, *loaded->read({folder_.path("train")})), predicted);
  }
}

TEST_F(AnyCluster, CountsDocumentsWithoutClusters) {
  train(kTrain);
  const auto data = task_->read({folder_.write("test", R"({"items": ["a", "b"]})")});
  const nlohmann::json metrics = task_->evaluate(*data, w_, {}, *make_executor(1));
  EXPECT_EQ(metrics["unlabelled_documents"], 1);
  EXPECT_EQ(metrics["documents"].size(), 0u);
  EXPECT_EQ(task_->report(metrics), "No document has clusters to compare with.\n");
}

TEST_F(AnyCluster, SaysWhatIsWrong) {
  expect_input_error([&] { train(R"({"items": ["a"]})"); }, "train:1: the document has no \"clusters\"");
  set(task_->options(), "comparators", Texts{"equal:colour"});
  expect_input_error([&] { train(kTrain); }, "no item has a field 'colour'");
  set(task_->options(), "comparators", Texts{});
  expect_input_error(
      [&] {
        train(R"({"items": 2, "clusters": []})"
              "\n");
      },
      "no pair has features");
  expect_input_error([&] { train("\n"); }, "there is no document");
}

// Without being named, those for mentions whose fields the data has.
TEST_F(AnyCluster, ChoosesTheComparatorsOfMentions) {
  set(task_->options(), "comparators", Texts{});
  train(R"({"items": [{"head": "man", "kind": "name"}, {"head": "man", "kind": "he"}], "clusters": [[0, 1]]})"
        "\n");
  std::vector<std::string> names;
  for (Index f = 0; f < task_->dimension(); ++f) names.push_back(task_->feature_name(f));
  EXPECT_NE(std::ranges::find(names, "equal:head same & second:kind he"), names.end());
  EXPECT_NE(std::ranges::find(names, "values:kind name, he"), names.end());
}

TEST_F(AnyCluster, ConvertsToJsonLines) {
  OutputFile out(folder_.path("converted"));
  task_->convert({folder_.write("a.conll", "d 0 0 Ann (7)\nd 0 1 left -\n")}, out);
  out.commit();
  EXPECT_NE(folder_.read("converted").find(R"("items":[{"text":"Ann")"), std::string::npos);
  expect_input_error([&] { make_task("multiclass")->convert({}, out); }, "multiclass has nothing to convert");
}

}  // namespace
}  // namespace hinge
