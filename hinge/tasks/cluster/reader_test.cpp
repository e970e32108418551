#include "hinge/tasks/cluster/reader.h"

#include <gtest/gtest.h>

#include "hinge/tasks/cluster/conll_document.h"
#include "hinge/tasks/cluster/json_document.h"
#include "tests/support/any_task.h"
#include "tests/support/data.h"

namespace hinge {
namespace {

struct Read {
  std::vector<ItemDocument> documents;
  StringTable pair_features;
};

class ClusterReader : public ::testing::Test {
 protected:
  Read read(const std::string& text) {
    Read result;
    read_documents({folder_.write("data", text)}, result.pair_features,
                   [&](ItemDocument&& document, const std::string&, std::size_t) {
                     result.documents.push_back(std::move(document));
                   });
    return result;
  }
  void refuses(const std::string& text, const std::string& part) {
    expect_input_error([&] { read(text); }, part);
  }
  TemporaryFolder folder_;
};

std::string text_of(const ItemDocument& document, std::size_t item, const std::string& field = "text") {
  const ItemTable::Column* column = document.items.find(field);
  return column == nullptr ? "" : column->cells[item].text;
}

const std::string kConll =
    "#begin document (tale); part 0\n"
    "tale 0 0 Mr. (1\n"
    "tale 0 1 Stern 1)\n"
    "tale 0 2 saw -\n"
    "tale 0 3 his (2|(1)\n"
    "tale 0 4 mother 2)\n"
    "tale 0 5 . -\n"
    "\n"
    "tale 0 0 She (2)\n"
    "tale 0 1 smiled -\n"
    "#end document\n";

TEST_F(ClusterReader, ReadsConllColumns) {
  const Read result = read(kConll);
  ASSERT_EQ(result.documents.size(), 1u);
  const ItemDocument& tale = result.documents[0];
  EXPECT_EQ(tale.name, "tale");
  ASSERT_EQ(tale.items.items(), 4u);
  EXPECT_EQ(text_of(tale, 0), "Mr. Stern");
  EXPECT_EQ(text_of(tale, 1), "his mother");  // the longer of two that begin together
  EXPECT_EQ(text_of(tale, 2), "his");
  EXPECT_EQ(*tale.clusters, (Partition{0, 1, 0, 1}));
  EXPECT_EQ(text_of(tale, 0, "kind"), "name");
  EXPECT_EQ(text_of(tale, 1, "kind"), "possessive");
  EXPECT_EQ(text_of(tale, 2, "kind"), "he");
  EXPECT_EQ(text_of(tale, 2, "type"), "pronoun");
  EXPECT_EQ(text_of(tale, 0, "gender"), "masculine");
  EXPECT_EQ(text_of(tale, 1, "gender"), "feminine");
  EXPECT_EQ(text_of(tale, 1, "head"), "mother");
  EXPECT_EQ(text_of(tale, 1, "core"), "mother");
  EXPECT_EQ(text_of(tale, 3, "begins"), "yes");
  EXPECT_EQ(tale.items.find("sentence")->cells[3].first, 1);
  EXPECT_EQ(tale.items.find("span")->cells[1].last, 4);
}

TEST_F(ClusterReader, WritesConllColumnsBack) {
  const Read result = read(kConll);
  const std::string& source = result.documents[0].source;
  EXPECT_EQ(with_clusters(source, "tale", {1, 2, 1, 2}), kConll);
  const std::string other = with_clusters(source, "tale", {0, 1, 2, 2});
  EXPECT_NE(other.find("tale 0 3 his (1|(2)\n"), std::string::npos);
  EXPECT_NE(other.find("tale 0 0 She (2)\n"), std::string::npos);
}

TEST_F(ClusterReader, ReadsAnEmptyLastColumnBetweenTabs) {
  const Read result = read("d\t0\t0\tAnn\t(7)\nd\t0\t1\tleft\t\n");
  ASSERT_EQ(result.documents.size(), 1u);
  EXPECT_EQ(result.documents[0].items.items(), 1u);
  EXPECT_EQ(with_clusters(result.documents[0].source, "d", {0}), "d\t0\t0\tAnn\t(0)\nd\t0\t1\tleft\t\n");
}

// The entity of a mention within another of the same entity.
TEST_F(ClusterReader, ReadsAMentionWithinItself) {
  const Read result = read("d 0 0 the (5\nd 0 1 man (5)\nd 0 2 himself 5)\n");
  EXPECT_EQ(text_of(result.documents[0], 0), "the man himself");
  EXPECT_EQ(text_of(result.documents[0], 1), "man");
  EXPECT_EQ(*result.documents[0].clusters, (Partition{0, 0}));
}

TEST_F(ClusterReader, RefusesToWriteCrossingMentionsOfOneCluster) {
  const std::string crossing = "d 0 0 a (1\nd 0 1 b (2\nd 0 2 c 1)\nd 0 3 d 2)\n";
  const Read result = read(crossing);
  EXPECT_EQ(with_clusters(crossing, "d", {1, 2}), crossing);
  expect_input_error(
      [&] {
        with_clusters(crossing, "tale", {0, 0});
      },
      "tale: the mentions 'a b c' (words 0 to 2) and 'b c d' (words 1 to 3) cross");
  const std::string touching = "d 0 0 a (1\nd 0 1 b 1)|(2\nd 0 2 c 2)\n";
  EXPECT_EQ(*conll_document(with_clusters(touching, "d", {0, 0})).clusters, (Partition{0, 0}));
  const std::string together = "d 0 0 a (1|(2\nd 0 1 b 1)\nd 0 2 c 2)\n";
  EXPECT_EQ(conll_document(with_clusters(together, "d", {0, 0})).items.items(), 2u);
}

TEST_F(ClusterReader, TellsTheFormByTheFirstLine) {
  const std::string json = "\n  {\"items\": [\"a\"]}\n";
  refuses(json + "d 0 0 Ann (7)\n", "data:3: is not JSON from column 1 on");
  refuses(json + "[1,2]\n", "data:3: is [1,2], where an object {...} belongs");
  refuses("d 0 0 Ann (7)\n" + json, "data:3: has 2 columns where at least 5 belong");
  const Read marked = read("\xef\xbb\xbf" + json.substr(1));
  ASSERT_EQ(marked.documents.size(), 1u);
  EXPECT_EQ(with_clusters(marked.documents[0].source, "", {0}), "{\"items\":[\"a\"],\"clusters\":[[0]]}\n");
  EXPECT_EQ(read("\xef\xbb\xbf" + kConll).documents[0].name, "tale");
}

TEST_F(ClusterReader, RefusesBrokenConll) {
  refuses("d 0 0 Ann 7)\n", "data:1: '7)' ends a mention of entity 7 that never began");
  refuses("d 0 0 Ann (7\nd 0 1 left -\n", "data:1: the mention of entity 7 that begins here never ends");
  refuses("d 0 0 Ann 7\n", "data:1: '7' marks no mention");
  refuses("d 0 0 Ann (7)|\n", "data:1: '' marks no mention");
  refuses("d 0 0 Ann ((7)\n", "marks no mention");
  refuses("d 0 0 Ann (7)\nd 0 1\n", "data:2: has 3 columns where at least 5 belong");
  refuses("#begin document (a)\nd 0 0 Ann (7)\n#begin document (b)\n",
          "data:3: a document begins within the one of line 1");
  refuses("#begin document (a)\nd 0 0 Ann (7)\n", "data:1: the document that begins here never ends");
  refuses("d 0 0 Ann (7)\n#begin document (a)\n#end document\n", "data:1: words stand before the first");
}

TEST_F(ClusterReader, ReadsJson) {
  const Read result = read(
      R"({"name": "a", "items": ["Ann", {"text": "she", "age": 3, "span": [1, 2], "old": true}, {}], "clusters": [[1, 0]]})"
      "\n\n"
      R"({"items": 3, "pairs": [[2, 0], [0, 1]], "pair_features": [{"x": 2, "y": 0}, ["y"]], "weight": 0.5})"
      "\n"
      R"({"items": 3, "pair_features": [[1, 0], [0, 1], [2, 2]], "clusters": []})"
      "\n");
  ASSERT_EQ(result.documents.size(), 3u);
  EXPECT_EQ(text_of(result.documents[0], 1), "she");
  EXPECT_EQ(result.documents[0].items.find("age")->cells[1].first, 3);
  EXPECT_EQ(text_of(result.documents[0], 1, "old"), "yes");
  EXPECT_EQ(*result.documents[0].clusters, (Partition{0, 0, 1}));
  EXPECT_FALSE(result.documents[1].clusters);
  EXPECT_EQ(result.documents[1].weight, 0.5);
  EXPECT_EQ(result.documents[1].pairs.pair, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(result.documents[1].pairs.rows.attribute, (std::vector<Index>{0, 1}));  // y, x
  EXPECT_EQ(result.documents[2].pairs.pair.size(), 3u);
  EXPECT_EQ(*result.documents[2].clusters, (Partition{0, 1, 2}));
  EXPECT_EQ(result.pair_features.size(), 4u);  // x, y, 0, 1
  EXPECT_EQ(with_clusters(R"({"items":["a","b"],"clusters":null})", "", {0, 0}),
            "{\"items\":[\"a\",\"b\"],\"clusters\":[[0,1]]}\n");
}

// Found by fuzz/cluster_fuzz: more lists than items, of which some are empty.
TEST_F(ClusterReader, ReadsEmptyClustersAsNone) {
  const Read result = read(R"({"items": 3, "clusters": [[], [2], [], [0], []]})"
                           "\n"
                           R"({"items": 2, "clusters": [[], [], [], [], [1, 0]]})"
                           "\n"
                           R"({"items": 2, "clusters": [[], [], []]})"
                           "\n");
  ASSERT_EQ(result.documents.size(), 3u);
  EXPECT_EQ(*result.documents[0].clusters, (Partition{0, 1, 2}));
  EXPECT_EQ(*result.documents[1].clusters, (Partition{0, 0}));
  EXPECT_EQ(*result.documents[2].clusters, (Partition{0, 1}));
}

TEST_F(ClusterReader, RefusesBrokenJson) {
  refuses("{\n", "data:1: is not JSON, for it ends too early: write one object a line.");
  refuses("{\"items\": 2,,}\n", "data:1: is not JSON from column 13 on: write one object a line.");
  refuses("{\"items\": 1e999}\n", "data:1: has a number that is too large");
  refuses(R"({"things": []})", "has the key \"things\", but the keys of a document are name");
  refuses(R"({"name": "a"})", "has no \"items\"");
  refuses(R"({"items": {}})", "where a list [...] or their number belongs");
  refuses(R"({"items": [3]})", "item 0 is 3");
  refuses(R"({"items": [{"a": [1]}]})", "the field \"a\" of item 0 is [1]");
  refuses(R"({"items": 2, "clusters": [[0], [0, 1]]})", "item 0 is in cluster 0 and in cluster 1");
  refuses(R"({"items": 2, "clusters": [[0, 0]]})", "item 0 is twice in cluster 0");
  refuses(R"({"items": 2, "clusters": [[2]]})",
          "\"clusters\" has 2, where a number of an item belongs, 0 to 1");
  refuses(R"({"items": 2, "clusters": [0]})", "where a list of items belongs");
  refuses(R"({"items": 2, "pairs": [[0, 1]]})", "come without \"pair_features\"");
  refuses(R"({"items": 3, "pair_features": [[1]]})", "has 1 rows for 3 pairs");
  refuses(R"({"items": 3, "pairs": [[0, 1], [1, 0]], "pair_features": [[1], [1]]})", "twice");
  refuses(R"({"items": 3, "pairs": [[1, 1]], "pair_features": [[1]]})", "one item with itself");
  refuses(R"({"items": 3, "pairs": [[0, 1], [0, 2]], "pair_features": [[1], [1, 2]]})",
          "has 2 numbers where those before have 1");
  refuses(R"({"items": 2, "pair_features": [["a", 1]]})", "among names");
  refuses(R"({"items": 2, "pair_features": [{"a": "b"}]})", "not a number");
  refuses(R"({"items": 2, "pair_features": [{"": 1}]})", "has an empty name");
  refuses(R"({"items": 99999})", "has 99999 items, but a document can have 20000 at most");
  refuses(R"({"items": 2, "weight": -1})", "\"weight\" is -1");
}

// Fields that are written as JSON are read as they were.
TEST_F(ClusterReader, ConvertsConllToJson) {
  const ItemDocument tale = std::move(read(kConll).documents[0]);
  const Read again = read(json_of(tale));
  ASSERT_EQ(again.documents.size(), 1u);
  EXPECT_EQ(*again.documents[0].clusters, *tale.clusters);
  for (const ItemTable::Column& column : tale.items.columns())
    for (std::size_t i = 0; i < tale.items.items(); ++i) {
      const Cell& cell = again.documents[0].items.find(column.field)->cells[i];
      EXPECT_EQ(cell.kind, column.cells[i].kind);
      EXPECT_EQ(cell.text, column.cells[i].text);
      EXPECT_EQ(cell.first, column.cells[i].first);
      EXPECT_EQ(cell.last, column.cells[i].last);
    }
}

TEST_F(ClusterReader, ReadsLitbankAndWritesItBack) {
  const auto file = data_file("coref/litbank/1342_pride_and_prejudice_brat.conll");
  if (!file) GTEST_SKIP() << "skipped: no data";
  StringTable given;
  std::size_t documents = 0;
  read_documents({*file}, given, [&](ItemDocument&& document, const std::string&, std::size_t) {
    ++documents;
    EXPECT_GT(document.items.items(), 100u);
    ItemDocument again = conll_document(with_clusters(document.source, document.name, *document.clusters));
    EXPECT_EQ(*again.clusters, *document.clusters);
    EXPECT_EQ(again.name, document.name);
  });
  EXPECT_EQ(documents, 1u);
}

}  // namespace
}  // namespace hinge
