#include "hinge/tasks/graph/format.h"

#include <gtest/gtest.h>

#include "hinge/core/errors.h"
#include "tests/support/data.h"
#include "tests/support/graph_files.h"

namespace hinge {
namespace {

std::string trouble(const std::string& text, const GraphReading& reading = {},
                    const GraphFormatOptions& format = {}) {
  try {
    GraphFile file(text, reading, format);
  } catch (const InputError& error) {
    const std::string what = error.what();
    return what.substr(what.find("graphs:") == std::string::npos ? 0 : what.find("graphs:"));
  }
  return "";
}

void expect_trouble(const std::string& text, const std::string& begin, const GraphReading& reading = {},
                    const GraphFormatOptions& format = {}) {
  const std::string what = trouble(text, reading, format);
  EXPECT_TRUE(what.starts_with(begin)) << "found: " << what << "\nexpected: " << begin;
}

const std::string kGood = "{\"labels\":[\"a\",\"b\"]}\n";

TEST(JsonLines, RefusesWhatMakesNoGraph) {
  expect_trouble(kGood + "{\"labels\":[\"a\",\"b\"],\"edges\":[[1,1]]}\n",
                 "graphs:2: the edge 1-1 joins a node to itself");
  expect_trouble(kGood + "{\"labels\":[\"a\",\"b\"],\"edges\":[[0,2]]}\n",
                 "graphs:2: the edge 0-2 has an end that is no node");
  expect_trouble(kGood + "{\"labels\":[\"a\",\"b\"],\"edges\":[[-1,0]]}\n",
                 "graphs:2: the edge -1-0 has an end");
  expect_trouble("{\"labels\":[\"a\",\"b\"],\"edges\":[[0,1],[1,0]]}\n",
                 "graphs:1: the edge 1-0 is there twice");
  expect_trouble("{\"labels\":[\"a\",\"b\"],\"edges\":[[0]]}\n",
                 "graphs:1: edge 0 is [0], where two numbers");
  expect_trouble("{\"labels\":[]}\n", "graphs:1: the graph has no node");
  expect_trouble("{\"edges\":[]}\n", "graphs:1: has no nodes");
  expect_trouble("", "graphs: holds no graph");
}

TEST(JsonLines, RefusesColumnsOfWrongSizes) {
  const std::string edges = "\"edges\":[[0,1]]";
  expect_trouble("{\"features\":[[1],[2],[3]],\"labels\":[0,1]}\n",
                 "graphs:1: \"labels\" has 2 entries for 3 nodes");
  expect_trouble("{\"features\":[[1],[2,3]],\"labels\":[0,1]}\n", "graphs:1: node 1 has 2 features where");
  expect_trouble("{\"labels\":[0,1]," + edges + ",\"edge_features\":[[1],[2]]}\n",
                 "graphs:1: \"edge_features\" has 2 entries for 1 edges");
  expect_trouble("{\"labels\":[0,1]," + edges + ",\"edge_types\":[]}\n",
                 "graphs:1: \"edge_types\" has 0 entries for 1 edges");
  expect_trouble("{\"labels\":[0,1],\"states\":[2]}\n", "graphs:1: \"states\" has 1 entries for 2 nodes");
}

TEST(JsonLines, RefusesLabelsAndStatesThatDoNotFit) {
  expect_trouble("{\"labels\":[0,2],\"states\":[3,2]}\n",
                 "graphs:1: node 1 has the label '2', but only 2 states");
  expect_trouble("{\"labels\":[0,\"x\"],\"states\":[3,2]}\n", "graphs:1: the label 'x' is no state");
  expect_trouble("{\"labels\":[0,1],\"states\":[2,0]}\n", "graphs:1: node 1 has 0 states");
  expect_trouble("{\"labels\":[0,1],\"hidden\":[false,true]}\n",
                 "graphs:1: node 1 is hidden for good, but has");
  expect_trouble("{\"labels\":[null,null],\"hidden\":[true,true]}\n", "graphs:1: the graph has no output");
  expect_trouble(kGood + "{\"labels\":[null,\"?\",-1]}\n", "graphs:2: no label of the graph is known");
  expect_trouble("{\"labels\":[\"a\",\"a\"]}\n", "every label is 'a'");
}

TEST(JsonLines, RefusesWhatIsTooLarge) {
  expect_trouble("{\"nodes\":2000000000}\n", "graphs:1: \"nodes\" is 2000000000");
  expect_trouble("{\"labels\":[0,1],\"states\":[100000,100000],\"edges\":[[0,1]]}\n",
                 "graphs:1: the graph has 10000200000 pairs of states");
}

TEST(JsonLines, RefusesWhatIsTooDeep) {
  const std::string deep(100000, '['), end(100000, ']');
  expect_trouble(kGood + deep + end + "\n", "graphs:2: is JSON nested more than 100 deep");
  expect_trouble("{\"labels\":" + deep + end + "}\n", "graphs:1: is JSON nested more than 100 deep");
  expect_trouble("{\"labels\":[" + std::string(90, '[') + std::string(90, ']') + "]}\n",
                 "graphs:1: the label of 0 is [[[[[[[[");
}

TEST(JsonLines, RefusesWhatIsNoJson) {
  expect_trouble(kGood + "{\"labels\":[0,\n", "graphs:2: is not JSON");
  expect_trouble("[1]\n", "graphs:1: is [1], where an object");
  expect_trouble("{\"label\":[0,1]}\n", "graphs:1: has the key \"label\", but the keys of a graph are");
  expect_trouble("{\"labels\":[0.5,1]}\n", "graphs:1: the label of 0 is 0.5");
  expect_trouble("{\"labels\":[0,1],\"features\":[[\"a\",1],[]]}\n",
                 "graphs:1: the features of node 0 have 1 among");
  expect_trouble("{\"labels\":[0,1],\"features\":[{\"a\":\"b\"},{}]}\n",
                 "graphs:1: a feature of node 0 is \"b\"");
  expect_trouble("{\"labels\":[0,1],\"features\":[[1e300],[0]]}\n",
                 "graphs:1: the value 1e+300 of a feature");
  expect_trouble("{\"labels\":[0,1],\"weight\":-1}\n", "graphs:1: \"weight\" is -1");
}

TEST(JsonLines, WeightsPerPositionNeedOneShape) {
  const GraphReading reading{.per_position = true};
  expect_trouble("{\"labels\":[0,1]}\n{\"labels\":[0,1,1]}\n", "graphs:2: the graph has 3 nodes and 0 edges",
                 reading);
  expect_trouble("{\"labels\":[0,1,1],\"edges\":[[0,1]]}\n{\"labels\":[0,1,1],\"edges\":[[0,2]]}\n",
                 "graphs:2: edge 0 joins others", reading);
  expect_trouble("{\"labels\":[0,1]}\n{\"labels\":[0,null],\"hidden\":[false,true]}\n",
                 "graphs:2: node 1 is of another kind", reading);
}

TEST(JsonLines, NumbersLabelsByName) {
  const GraphFile file("{\"labels\":[\"10\",2,null,\"?\",-1,\"9\"]}\n");
  EXPECT_EQ(file.corpus.labels[0], (Labels{2, 0, kUnknown, kUnknown, kUnknown, 1}));
  EXPECT_EQ(file.corpus.unlabelled_nodes, 3u);
  const GraphFile states("{\"labels\":[1,0],\"states\":[4,2]}\n");
  EXPECT_EQ(states.schema.labels.size(), 4u);
  EXPECT_EQ(states.corpus.labels[0], (Labels{1, 0}));
}

TEST(JsonLines, ReadsSetsOfLabels) {
  const std::string text = R"({"labels":["a",["c","b","c"],"?a|c",["b"],null]})"
                           "\n";
  const GraphFile file(text);
  EXPECT_EQ(file.corpus.labels[0], (Labels{0, kUnknown, kUnknown, 1, kUnknown}));
  ASSERT_EQ(file.corpus.labels[0].one_of.size(), 2u);
  EXPECT_EQ(file.corpus.labels[0].one_of[0].position, 1u);
  EXPECT_EQ(file.corpus.labels[0].one_of[0].labels, (std::vector<int>{2, 1}));
  EXPECT_EQ(file.corpus.labels[0].one_of[1].labels, (std::vector<int>{0, 2}));
  EXPECT_EQ(file.corpus.unlabelled_nodes, 3u);

  // A set is no node without a label.
  EXPECT_EQ(GraphFile(text, {.unlabelled = "drop"}).corpus.labels[0].size(), 4u);
  EXPECT_EQ(GraphFile(text, {.unlabelled = "class"}).corpus.labels[0].back(), 3);

  // Where the schema is fixed, labels that it lacks are no candidates.
  TemporaryFolder folder;
  const GraphCorpus later =
      make_graph_format({})->read({folder.write("later", R"({"labels":[["z","b"],["z","y"]]})"
                                                         "\n")},
                                  file.schema, {});
  EXPECT_EQ(later.labels[0], (Labels{kUnknown, kUnseen - static_cast<int>(later.unseen_labels.find("z"))}));
  EXPECT_EQ(later.labels[0].one_of[0].labels, (std::vector<int>{1}));

  const GraphFile states(R"({"labels":[[3,0],1],"states":[null,4]})"
                         "\n");
  EXPECT_EQ(states.schema.labels.size(), 4u);
  expect_trouble(R"({"labels":["a",[]]})"
                 "\n",
                 "graphs:1: the label of 1 is an empty list");
  expect_trouble(R"({"labels":["a",["b",null]]})"
                 "\n",
                 "graphs:1: '?b|?' has '?' among its labels");
  expect_trouble(R"({"labels":["a","?b|"]})"
                 "\n",
                 "graphs:1: '?b|' has '' among its labels");
  expect_trouble(R"({"labels":["a",["b",1.5]]})"
                 "\n",
                 "graphs:1: the label of 1 is 1.5");
  expect_trouble(R"({"labels":[1,[0,4]],"states":[3,3]})"
                 "\n",
                 "graphs:1: node 1 has the label '4', but only 3");
  expect_trouble(R"({"labels":["a",["a","b"]],"hidden":[false,true]})"
                 "\n",
                 "graphs:1: node 1 is hidden for good");
}

TEST(JsonLines, UnlabelledNodesMayBeAClassOrLeftOut) {
  const std::string text =
      "{\"labels\":[\"a\",null,\"b\"],\"features\":[[1],[2],[3]],\"edges\":[[0,1],[2,0]]}\n";
  const GraphFile own(text, {.unlabelled = "class"});
  EXPECT_EQ(own.schema.labels.size(), 3u);
  EXPECT_EQ(own.corpus.labels[0], (Labels{0, 2, 1}));
  const GraphFile dropped(text, {.unlabelled = "drop"});
  EXPECT_EQ(dropped.corpus.labels[0], (Labels{0, 1}));
  EXPECT_EQ(dropped.corpus.inputs[0].shape->edge(0), (Graph::Edge{1, 0}));
  EXPECT_EQ(dropped.corpus.inputs[0].nodes.value, (std::vector<float>{1, 3}));
}

TEST(JsonLines, FeaturesMayBeScaled) {
  TemporaryFolder folder;
  const std::string text =
      "{\"labels\":[0,1],\"features\":[[-4,0],[2,0]],\"edges\":[[0,1]],\"edge_features\":[[10]]}\n";
  const GraphFile file(text, {.scale = true});
  EXPECT_EQ(file.corpus.inputs[0].nodes.value, (std::vector<float>{-1, 0.5}));
  EXPECT_EQ(file.corpus.inputs[0].edges.value, (std::vector<float>{1}));
  const GraphCorpus later = make_graph_format({})->read(
      {folder.write("later", "{\"labels\":[0],\"features\":[[8,3]]}\n")}, file.schema, {});
  EXPECT_EQ(later.inputs[0].nodes.value, (std::vector<float>{2, 3}));
}

TEST(JsonLines, LaterFilesMayLackWhatTrainingHad) {
  TemporaryFolder folder;
  const GraphFile file(
      "{\"labels\":[\"a\",\"b\"],\"features\":[[1],[2]],\"edges\":[[0,1]],\"edge_types\":[\"t\"]}\n");
  const auto later = [&](const std::string& text) {
    return make_graph_format({})->read({folder.write("later", text)}, file.schema, {});
  };
  const GraphCorpus corpus = later(
      "{\"labels\":[\"z\",null],\"features\":[{\"0\":1,\"new\":2},{}],\"edges\":[[0,1]],\"edge_types\":["
      "\"u\"]}\n");
  EXPECT_EQ(corpus.unseen_features, 1u);
  EXPECT_EQ(corpus.unseen_edges, 1u);
  EXPECT_EQ(corpus.inputs[0].shape->edges(), 0u);
  EXPECT_EQ(corpus.labels[0], (Labels{kUnseen, kUnknown}));
  EXPECT_THROW(later("{\"labels\":[null],\"node_types\":[\"other\"]}\n"), InputError);
  EXPECT_THROW(later("{\"labels\":[null],\"hidden\":[true]}\n"), InputError);
}

const std::string kSuperpixels =
    "I a 4 3 3 2\n2 1:5 3:1.5\n-1 2:1\n7\n0 1 0.5 2\n2 0 1 0\nI b 1 1 1 0\n2 1:1\n";

TEST(Msrc, ReadsNodesAndEdges) {
  const GraphFile file(kSuperpixels, {}, {.format = "msrc"});
  ASSERT_EQ(file.corpus.inputs.size(), 2u);
  EXPECT_EQ(file.corpus.labels[0], (Labels{0, kUnknown, 1}));
  EXPECT_EQ(file.corpus.inputs[0].nodes.value, (std::vector<float>{5, 1.5, 1}));
  EXPECT_EQ(file.corpus.inputs[0].edges.value, (std::vector<float>{0.5, 2, 1}));
  std::string out;
  make_graph_format({.format = "msrc"})->append(file.corpus.sources[0], {{"7", "2", "2"}, {}, 0, false}, out);
  EXPECT_EQ(out, "I a 4 3 3 2\n7 1:5 3:1.5\n2 2:1\n2\n0 1 0.5 2\n2 0 1 0\n");
}

TEST(Msrc, RefusesDamage) {
  const GraphFormatOptions msrc{.format = "msrc"};
  expect_trouble("X a 4 3 3 2\n", "graphs:1: the line 'X ...'", {}, msrc);
  expect_trouble("I a 4 3 2 0\n1 1:1\n", "graphs:2: the file ends where a node belongs", {}, msrc);
  expect_trouble("I a 4 3 1 1\n1 1:1\n", "graphs:2: the file ends where an edge belongs", {}, msrc);
  expect_trouble("I a 4 3 1 0\nx 1:1\n", "graphs:2: the line 'x ...'", {}, msrc);
  expect_trouble("I a 4 3 1 0\n1 1:x\n", "graphs:2: '1:x' is no feature", {}, msrc);
  expect_trouble("I a 4 3 1 1\n1 1:1\n0 1 2\n", "graphs:3: the edge 0-1 has an end", {}, msrc);
}

TEST(Msrc, ReadsTheWholeSet) {
  const auto path = data_file("msrc/msrc.txt");
  if (!path) GTEST_SKIP() << "skipped: no data";
  GraphSchema schema;
  const GraphReading reading;
  const GraphCorpus corpus = make_graph_format({.format = "msrc"})->read_training({*path}, schema, reading);
  EXPECT_EQ(corpus.inputs.size(), 591u);
  EXPECT_EQ(corpus.nodes, 109160u);
  EXPECT_EQ(corpus.edges, 293487u);
  EXPECT_EQ(corpus.unlabelled_nodes, 21865u);
  EXPECT_EQ(schema.labels.size(), 23u);
}

const std::string kSnake =
    "# comment\ntrain 1 3 3 1 3\n0,0,1 0,0,2 0,0,1\n0 1 0\ntest 2 1 3 2 1\n0,0,1\n0,0,1\n0\n1\n";

TEST(Snakes, ReadsGridsAndWritesThemBack) {
  const GraphFormatOptions all{.format = "snakes"};
  const GraphFile file(kSnake, {.directed = {"all"}}, all);
  ASSERT_EQ(file.corpus.inputs.size(), 2u);
  EXPECT_EQ(file.corpus.labels[0], (Labels{0, 1, 0}));
  EXPECT_EQ(file.corpus.inputs[0].nodes.attribute, (std::vector<Index>{0, 1, 0}));
  EXPECT_NE(file.corpus.inputs[0].edge_kind[0], file.corpus.inputs[1].edge_kind[0]);  // right, down
  std::string out;
  for (std::size_t i = 0; i < 2; ++i) {
    GraphAnswer answer;
    for (const int label : file.corpus.labels[i]) answer.labels.push_back(label == 0 ? "0" : "1");
    make_graph_format(all)->append(file.corpus.sources[i], answer, out);
  }
  EXPECT_EQ("# comment\n" + out, kSnake);
  EXPECT_EQ(GraphFile(kSnake, {}, {.format = "snakes", .split = "test"}).corpus.inputs.size(), 1u);
}

TEST(Snakes, NeighboursAndEndsAreFeatures) {
  const GraphFile file(kSnake, {}, {.format = "snakes", .split = "train", .neighbours = 4});
  EXPECT_EQ(file.corpus.inputs[0].nodes.start, (std::vector<Index>{0, 2, 5, 7}));
  EXPECT_EQ(file.schema.node_features.size(), 10u);
  EXPECT_NE(file.schema.node_features.find("0,0,2@1,0"), StringTable::kNone);
  const GraphFile ends(kSnake, {}, {.format = "snakes", .split = "train", .edge_features = "ends"});
  EXPECT_EQ(ends.schema.edge_features.size(), 4u);
  EXPECT_EQ(ends.corpus.inputs[0].edges.attribute,
            (std::vector<Index>{
                ends.schema.edge_features.find("from 0,0,1"), ends.schema.edge_features.find("to 0,0,2"),
                ends.schema.edge_features.find("from 0,0,2"), ends.schema.edge_features.find("to 0,0,1")}));
}

TEST(Snakes, RefusesDamage) {
  const GraphFormatOptions snakes{.format = "snakes"};
  expect_trouble("train 1 3 3 1 2\n", "graphs:1: a picture begins with", {}, snakes);
  expect_trouble("train 1 2 3 1 2\n1\n", "graphs:2: has 1 pixels where 2 belong", {}, snakes);
  expect_trouble("train 1 2 3 1 2\n1 2\n", "graphs:2: the file ends where a row of labels", {}, snakes);
  expect_trouble("train 1 2 3 1 2\n1 2\n1 2 3\n", "graphs:3: has 3 labels where 2 belong", {}, snakes);
}

TEST(GraphFormat, RefusesFlagsOfOthers) {
  EXPECT_THROW(make_graph_format({.split = "train"}), InputError);
  EXPECT_THROW(make_graph_format({.neighbours = 4}), InputError);
  EXPECT_THROW(make_graph_format({.format = "snakes", .neighbours = 5}), InputError);
  EXPECT_THROW(make_graph_format({.format = "snakes", .connect = 6}), InputError);
  EXPECT_THROW(make_graph_format({.format = "msrc", .pixels = "colours"}), InputError);
  EXPECT_THROW(make_graph_format({.format = "image", .unlabelled_colour = "x"}), InputError);
}

}  // namespace
}  // namespace hinge
