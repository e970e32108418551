#include "hinge/tasks/rank/query_reader.h"

#include <gtest/gtest.h>

#include "tests/support/any_task.h"
#include "tests/support/data.h"

namespace hinge {
namespace {

std::vector<QueryRecord> read(const std::string& text, const std::string& more = "") {
  const TemporaryFolder folder;
  std::vector<std::string> files = {folder.write("a.letor", text)};
  if (!more.empty()) files.push_back(folder.write("b.letor", more));
  return read_queries(files).queries;
}

void expect_trouble(const std::string& sentence, const std::string& text, const std::string& more = "") {
  expect_input_error([&] { read(text, more); }, sentence);
}

TEST(QueryReader, ReadsQueriesOneAfterTheOther) {
  const auto queries = read(
      "2 qid:10 cost:3 1:0.5 #docid = D7 x\n? qid:10 cost:3 2:1 # other\n0.5 qid:10 cost:3\n1 qid:2 1:1\n",
      "0 qid:3 4:1 # docid=9\n");
  ASSERT_EQ(queries.size(), 3u);
  EXPECT_EQ(queries[0].id, 10);
  EXPECT_EQ(queries[0].weight, 3);
  ASSERT_EQ(queries[0].documents.size(), 3u);
  EXPECT_EQ(queries[0].documents[0].grade, 2);
  EXPECT_EQ(queries[0].documents[1].grade, std::nullopt);
  EXPECT_EQ(queries[0].documents[2].grade, 0.5);
  EXPECT_EQ(queries[0].documents[1].row.index, (std::vector<Index>{2}));
  EXPECT_EQ(queries[0].documents[0].name, "D7");
  EXPECT_EQ(queries[0].documents[1].name, "other");
  EXPECT_EQ(queries[0].documents[2].name, "");
  EXPECT_EQ(queries[1].weight, 1);
  EXPECT_EQ(queries[2].documents[0].name, "9");
}

TEST(QueryReader, SaysWhatIsWrong) {
  expect_trouble("a.letor:2: has no query: write qid:N", "1 qid:1 1:1\n1 1:1\n");
  expect_trouble("a.letor:3: query 1 comes back after other rows; it began at",
                 "1 qid:1\n1 qid:2\n1 qid:1\n");
  expect_trouble("b.letor:1: query 1 comes back after other rows", "1 qid:1 1:1\n", "1 qid:1 1:1\n");
  expect_trouble("b.letor:1: query 1 comes back after other rows", "1 qid:1 1:1\n2 qid:2\n", "1 qid:1 1:1\n");
  expect_trouble("a.letor:1: the grade 'good' is not a number from 0 to 100", "good qid:1 1:1\n");
  expect_trouble("a.letor:1: the grade '-1' is not", "-1 qid:1 1:1\n");
  expect_trouble("a.letor:1: the grade '101' is not", "101 qid:1 1:1\n");
  expect_trouble("a.letor:1: the grade 'nan' is not", "nan qid:1 1:1\n");
  expect_trouble("a.letor:2: has cost:2 where the query's first row has cost:1", "1 qid:1\n1 qid:1 cost:2\n");
  expect_trouble("a.letor:1: the index of '0:1' is outside", "1 qid:1 0:1\n");
  expect_trouble("a.letor: has no document", "# nothing\n");
}

TEST(QueryReader, ReadsOhsumed) {
  std::size_t documents = 0, queries = 0;
  for (const char* part : {"S1", "S2", "S3", "S4", "S5"}) {
    const auto file = data_file(std::string("letor_ohsumed/") + part + ".txt");
    if (!file) GTEST_SKIP() << "skipped: no data";
    for (const QueryRecord& query : read_queries({*file}).queries) {
      ++queries;
      documents += query.documents.size();
    }
  }
  EXPECT_EQ(queries, 106u);
  EXPECT_EQ(documents, 16140u);
}

}  // namespace
}  // namespace hinge
