#include "hinge/tasks/svmlight.h"

#include <gtest/gtest.h>

#include "hinge/core/errors.h"
#include "hinge/tasks/feature_set.h"
#include "tests/support/data.h"
#include "tests/support/temporary_folder.h"

namespace hinge {
namespace {

struct Read {
  std::string label;
  std::vector<Index> index;
  std::vector<float> value;
  double weight = 1;
  std::optional<long long> query = {};
  friend bool operator==(const Read&, const Read&) = default;
};

std::vector<Read> read_all(const std::string& text) {
  TemporaryFolder folder;
  SvmlightReader reader(folder.write("data.svm", text));
  SvmlightExample example;
  std::vector<Read> all;
  while (reader.next(example))
    all.push_back(
        {std::string(example.label), example.row.index, example.row.value, example.weight, example.query});
  return all;
}

std::string trouble(const std::string& text) {
  try {
    read_all(text);
  } catch (const InputError& error) {
    const std::string what = error.what();
    return what.substr(what.find("data.svm"));
  }
  return "";
}

TEST(Svmlight, ReadsLabelsQueriesCostsAndFeatures) {
  const auto all = read_all(
      "# a comment\n"
      "+1 1:0.5 3:-2e-1 10:+7 # document 7\n"
      "\n"
      "sci.space\tqid:12  2:1\t\n"
      "c# cost:2.5 4:1#x\n"
      "?\n");
  const std::vector<Read> expected = {{"+1", {1, 3, 10}, {0.5f, -0.2f, 7}},
                                      {"sci.space", {2}, {1}, 1, 12},
                                      {"c#", {4}, {1}, 2.5},
                                      {"?", {}, {}}};
  EXPECT_EQ(all, expected);
}

TEST(Svmlight, KeepsTheComment) {
  TemporaryFolder folder;
  SvmlightReader reader(folder.write("data.svm", "1 1:1 #docid = 7\n1 1:1#\n1 1:1\n"));
  SvmlightExample example;
  for (const char* expected : {"docid = 7", "", ""}) {
    ASSERT_TRUE(reader.next(example));
    EXPECT_EQ(example.comment, expected);
  }
}

TEST(Svmlight, LineEndsAndMarksOfOtherSystems) {
  const std::vector<Read> expected = {{"1", {1}, {2}}, {"2", {2147483647}, {3}}};
  EXPECT_EQ(read_all("1 1:2\n2 2147483647:3\n"), expected);
  EXPECT_EQ(read_all("1 1:2\r\n2 2147483647:3\r\n"), expected);
  EXPECT_EQ(read_all("1 1:2\n2 2147483647:3"), expected);
  EXPECT_EQ(read_all("\xef\xbb\xbf"
                     "1 1:2\n  \r\n\t2 2147483647:3 \r"),
            expected);
  EXPECT_TRUE(read_all("").empty());
  EXPECT_TRUE(read_all(" \n\r\n\n#\n").empty());
}

TEST(Svmlight, OrdersIndices) {
  const std::vector<Read> expected = {{"1", {2, 3, 5, 7}, {20, 30, 50, 70}}};
  EXPECT_EQ(read_all("1 5:50 2:20 7:70 3:30\n"), expected);
}

TEST(Svmlight, RefusesWithFileLineAndFix) {
  EXPECT_EQ(trouble("1 1:1\n1 0:1\n"),
            "data.svm:2: the index of '0:1' is outside 1 to 2147483647: renumber the features from 1.");
  EXPECT_NE(trouble("1 -3:1\n").find("data.svm:1: the index of '-3:1' is outside"), std::string::npos);
  EXPECT_NE(trouble("1 2147483648:1\n").find("outside"), std::string::npos);
  EXPECT_NE(trouble("1 99999999999999:1\n").find("outside"), std::string::npos);
  EXPECT_NE(trouble("1 99999999999999999999999:1\n").find("not a whole number"), std::string::npos);
  EXPECT_NE(trouble("1 x:1\n").find("the index of 'x:1' is not a whole number"), std::string::npos);
  EXPECT_NE(trouble("1 1.5:1\n").find("not a whole number"), std::string::npos);
  EXPECT_NE(trouble("1 :1\n").find("not a whole number"), std::string::npos);
  for (const char* value :
       {"", "x", "nan", "inf", "-inf", "1e999", "1e39", "1,5", "1:2", "0x10", "1234567890123456z"})
    EXPECT_NE(trouble(std::string("1 1:") + value + "\n").find("is not a finite number"), std::string::npos)
        << value;
  EXPECT_NE(trouble("1 17\n").find("found '17' where index:value belongs"), std::string::npos);
  EXPECT_EQ(trouble("1 1:1\n\n1 7:1 3:2 7:4\n"),
            "data.svm:3: index 7 is there twice, with the values 1 and 4: keep one of them, or their sum.");
  EXPECT_NE(trouble("1 7:1 7:1\n").find("twice"), std::string::npos);
  EXPECT_EQ(trouble("1:1 2:3\n"),
            "data.svm:1: the line starts with '1:1', but a label belongs there: write ? when it is unknown.");
  EXPECT_NE(trouble("qid:3 2:3\n").find("a label belongs there"), std::string::npos);
  EXPECT_NE(trouble("1 qid:x 2:3\n").find("a query is a whole number"), std::string::npos);
  EXPECT_NE(trouble("1 cost:0 2:3\n").find("cost is a positive number"), std::string::npos);
}

TEST(FeatureSet, NumbersWhatIsUsed) {
  const auto itself = [](const SparseRow& row) -> const SparseRow& { return row; };
  for (Index far : {Index{12}, Index{2000000000}}) {  // by flags, by sorting
    const std::vector<SparseRow> rows = {{{4, far}, {1, 1}}, {{}, {}}, {{4, 5, 9}, {1, 1, 1}}};
    const auto set = FeatureSet::of(rows, itself);
    EXPECT_EQ(set.indices(), (std::vector<Index>{4, 5, 9, far}));
    EXPECT_EQ(set.find(4), 0u);
    EXPECT_EQ(set.find(5), 1u);
    EXPECT_EQ(set.find(9), 2u);
    EXPECT_EQ(set.find(far), 3u);
    for (Index absent : {Index{1}, Index{6}, far + 1}) EXPECT_EQ(set.find(absent), FeatureSet::kNone);
    SparseRow row{{3, 5, 8, 9, far + 1}, {30, 50, 80, 90, 1}};
    EXPECT_EQ(set.renumber(row), 3u);
    EXPECT_EQ(row.index, (std::vector<Index>{1, 2}));
    EXPECT_EQ(row.value, (std::vector<float>{50, 90}));
  }
  EXPECT_EQ(FeatureSet::of(std::vector<SparseRow>{}, itself).find(1), FeatureSet::kNone);
}

}  // namespace
}  // namespace hinge
