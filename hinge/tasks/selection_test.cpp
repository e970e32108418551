#include "hinge/tasks/selection.h"

#include <nlohmann/json.hpp>

#include "tests/support/any_task.h"

namespace hinge {
namespace {

TEST(Selection, IsAllUnlessSaid) {
  EXPECT_TRUE(Selection()(0) && Selection()(1000));
  const Selection some({true, false, true});
  EXPECT_TRUE(some(0) && !some(1) && some(2) && !some(3));
  EXPECT_FALSE(Selection(std::vector<bool>{})(0));
}

// Reads every other example of `records`, and a file of these alone; what a model keeps must be the same.
void expect_as_if_alone(
    const std::string& name, const std::vector<std::string>& records,
    const std::function<void(AnyTask&)>& configure = [](AnyTask&) {}) {
  SCOPED_TRACE(name);
  const TemporaryFolder folder;
  std::string all, even;
  std::vector<bool> chosen;
  for (std::size_t i = 0; i < records.size(); ++i) {
    chosen.push_back(i % 2 == 0);
    all += records[i];
    if (i % 2 == 0) even += records[i];
  }
  const auto read = [&](const std::string& text, const Selection& selection) {
    const auto task = make_task(name);
    configure(*task);
    const auto data = task->read_training({folder.write("data", text)}, selection);
    const auto again = task->read({folder.write("data", text)}, selection);
    EXPECT_EQ(data->size(), (records.size() + 1) / 2);
    nlohmann::json facts = data->facts();
    facts.erase("comparators_whose_fields_no_item_has");  // of which a model knows nothing
    EXPECT_EQ(facts, again->facts());
    Archive archive;
    task->save(archive);
    return std::tuple(std::move(archive.header), std::move(archive.arrays), data->facts());
  };
  EXPECT_EQ(read(all, Selection(chosen)), read(even, {}));
}

TEST(Selection, LeavesTheOthersOutBeforeAnythingIsLearnedFromThem) {
  expect_as_if_alone("multiclass", {"a 1:1 5:2\n", "rare 2:9\n", "b 3:1\n", "c 4:1\n", "a 1:2\n"});
  expect_as_if_alone("binary",
                     {"1 qid:4 1:1\n-1 qid:4 5:2\n", "-1 qid:2 2:9\n", "-1 qid:1 3:1\n", "1 qid:3 4:1\n"});
  expect_as_if_alone("taxonomy", {"a.x 1:1 5:2\n", "a.rare 2:9\n", "b 3:1\n", "c 4:1\n", "a.y 1:2\n"});
  expect_as_if_alone(
      "parse", {"(S (A x) (B y))\n", "(S (RARE z) (A x))\n", "(S\n (A x) (B z))\n", "x y\n", "(S (A x))\n"});
  expect_as_if_alone("multilabel", {"a,b 1:1 5:2\n", "rare 2:9\n", "b 3:1\n", "c 4:1\n", "a 1:2\n"});
  const auto observed = [](AnyTask& task) { set(task.options(), "features", std::string("observed")); };
  expect_as_if_alone("sequence", {"x A\ny B\n\n", "# a\nz C\nx B\n\n", "y B\nx A\n\n", "w A\n\n"}, observed);
  const auto scaled = [](AnyTask& task) { set(task.options(), "scale", true); };
  expect_as_if_alone("graph",
                     {"{\"features\":[[1,2],[3,4]],\"labels\":[\"a\",\"b\"],\"edges\":[[0,1]]}\n",
                      "{\"features\":[{\"odd\":70},[8,90]],\"labels\":[\"c\",\"b\"],\"edges\":[[0,1]],"
                      "\"edge_features\":[{\"e\":5}]}\n",
                      "{\"features\":[[2,1],[0,1]],\"labels\":[\"b\",\"b\"],\"edges\":[[1,0]]}\n"},
                     scaled);
  expect_as_if_alone("sequence-class", {"a 2\n1 2\n3 4\n", "c 1\n50 -9\n", "b 1\n2 2\n", "a 1\n7 7\n"});
  expect_as_if_alone(
      "rank", {"1 qid:0 1:1\n0 qid:0 2:1\n", "2 qid:7 9:1\n0 qid:7 2:1\n", "1 qid:3 1:4\n0 qid:3 1:2\n"});
  expect_as_if_alone("motif", {"a:1:1:ACGTACGTACGT\n", "b:1:1:GGGGGGGGGGGG\n", "c:-1:0:TTTTACGTACGT\n"});
  expect_as_if_alone("align", {">a\nAC-D\n>b\nA-WD\n", ">a\nAC\n>c\nAC\n", ">d\nGG\n>e\nGK\n"});
  expect_as_if_alone("align", {"s\tf\ta\tb\tAC\tAC\t11\n", "s\tg\ta\tb\tAC\tAC\t11\tHH\tEE\n"});
  expect_as_if_alone("fold", {">a\nGGAACC\n(....)\n", ">b\nGC\n", ">c\nGGAACC\n.(..).\n"});
  expect_as_if_alone("cluster",
                     {"{\"items\":[\"a\",\"b\"],\"clusters\":[[0,1]],\"pair_features\":[{\"f\":1}]}\n",
                      "{\"items\":[{\"kind\":1},\"b\"],\"clusters\":[[0,1]],\"pair_features\":[{\"g\":1}]}\n",
                      "{\"items\":[\"a\",\"c\"],\"clusters\":[[0],[1]],\"pair_features\":[{\"f\":2}]}\n"});
}

}  // namespace
}  // namespace hinge
