#include "hinge/tasks/cluster/any_cluster.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hinge/tasks/powers.h"
#include "tests/support/any_task.h"
#include "tests/support/records.h"

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
    EXPECT_TRUE(task_->check(*data, {}).passed());
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
  const std::string unlabelled = "{\"items\": [\"a\", \"b\"]}\n";
  const auto some = task_->read({folder_.write("some", unlabelled + kTrain)});
  const nlohmann::json metrics = task_->evaluate(*some, w_, {}, *make_executor(1));
  EXPECT_EQ(metrics["unlabelled_documents"], 1);
  EXPECT_EQ(metrics["documents"].size(), 3u);
  EXPECT_EQ(task_->evaluate(*some, w_, {0}, *make_executor(1))["documents"].size(), 0u);
  for (const std::string& text : {unlabelled, std::string(R"({"items": [], "clusters": []})")}) {
    const auto none = task_->read({folder_.write("none", text)});
    expect_input_error([&] { task_->evaluate(*none, w_, {}, *make_executor(1)); },
                       "none: no document has items with clusters, so that nothing can be compared");
  }
  expect_input_error([&] { task_->read({folder_.write("empty", " \n")}); }, "empty: there is no document");
}

TEST_F(AnyCluster, RefusesComparatorsOfOtherKinds) {
  for (const char* comparator : {"distance:text", "equal:text+span:text"}) {
    set(task_->options(), "comparators", Texts{comparator});
    expect_input_error([&] { train(kTrain); }, "but the field 'text' holds texts");
  }
  set(task_->options(), "comparators", Texts{"distance:order", "span:order"});
  train(kTrain);
  set(task_->options(), "comparators", Texts{"equal:age"});
  expect_input_error([&] { train(R"({"items": [{"age": null}, {}], "clusters": []})"); },
                     "no item has a field 'age'");
}

TEST_F(AnyCluster, TellsOfComparatorsThatDataCannotAnswer) {
  set(task_->options(), "comparators", Texts{"equal:text", "equal:age"});
  train(R"({"items": [{"text": "a", "age": 3}, {"text": "b", "age": 3}], "clusters": []})");
  const auto all =
      task_->read({folder_.write("all", R"({"items": [{"text": "a", "age": 4}, {"text": "b"}]})")});
  EXPECT_FALSE(all->facts().contains("comparators_whose_fields_no_item_has"));
  const auto none = task_->read({folder_.write("none", R"({"items": ["a", "b"]})")});
  EXPECT_EQ(none->facts()["comparators_whose_fields_no_item_has"], "equal:age");
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
  const auto data = train(
      R"({"items": [{"head": "man", "kind": "name"}, {"head": "man", "kind": "he"}], "clusters": [[0, 1]]})"
      "\n");
  const std::string left_out = data->facts()["comparators_whose_fields_no_item_has"];
  EXPECT_TRUE(left_out.starts_with("distance:sentence+values:type distance:order+values:type ")) << left_out;
  EXPECT_EQ(left_out.find("equal:head+second:kind"), std::string::npos) << left_out;
  std::vector<std::string> names;
  for (Index f = 0; f < task_->dimension(); ++f) names.push_back(task_->feature_name(f));
  EXPECT_NE(std::ranges::find(names, "equal:head same & second:kind he"), names.end());
  EXPECT_NE(std::ranges::find(names, "values:kind name, he"), names.end());
}

TEST_F(AnyCluster, ConvertsToJsonLines) {
  OutputFile out(folder_.path("converted"));
  power<Converter>(*task_)->convert({folder_.write("a.conll", "d 0 0 Ann (7)\nd 0 1 left -\n")}, out);
  out.commit();
  EXPECT_NE(folder_.read("converted").find(R"("items":[{"text":"Ann")"), std::string::npos);
  EXPECT_EQ(power<Converter>(*make_task("multiclass")), nullptr);
}

ItemDocument document(const std::vector<std::string>& texts, std::optional<Partition> clusters) {
  ItemDocument made;
  made.items = ItemTable(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) made.items.set(i, "text", Cell::of(texts[i]));
  made.clusters = std::move(clusters);
  return made;
}

TEST(ClusterRecordsTest, AreAsGoodAsAFile) {
  ClusterRecords records;
  records.add(document({"Ann", "Bob", "ann", "bob", "Ann"}, Partition{3, 0, 3, 0, 3}));
  records.add(document({"Eve", "Eve", "Joe"}, Partition{0, 0, 1}));
  records.add(document({"alone"}, Partition{0}));
  const auto configure = [](AnyTask& task) {
    set(task.options(), "comparators", std::vector<std::string>{"equal:text"});
  };
  expect_same_bits(make_cluster, configure, kTrain, records, "lssvm");
  expect_input_error([&] { records.add(document({"a"}, Partition{0, 1})); }, "document 3 has 1 items");
  ItemDocument pairs = document({"a", "b"}, std::nullopt);
  pairs.pairs = {{0}, {{0, 1}, {7}, {}}};
  expect_input_error([&] { records.add(pairs); }, "a feature that `pair_features` does not name");
  pairs.pairs.pair = {1};
  expect_input_error([&] { records.add(pairs); }, "the pairs of document 3 do not ascend");
  records.add(document({"a"}, std::nullopt));
  auto task = make_cluster();
  configure(*task);
  expect_input_error([&] { task->train_on(records); }, "document 3: the document has no \"clusters\"");
}

}  // namespace
}  // namespace hinge
