#include "hinge/tasks/multiclass/cost_matrix.h"

#include <gtest/gtest.h>

#include "hinge/core/errors.h"
#include "tests/support/temporary_folder.h"

namespace hinge {
namespace {

CostMatrix read(const std::string& text) {
  TemporaryFolder folder;
  return read_cost_matrix(folder.write("costs", text));
}

void expect_trouble(const std::string& text, const std::string& sentence) {
  try {
    read(text);
    ADD_FAILURE() << "accepted: " << text;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(sentence), std::string::npos) << error.what();
  }
}

TEST(CostMatrix, ReadsRowsInAnyOrder) {
  const CostMatrix matrix = read("# costs\n\n\tcat dog\r\ndog 2 0 # sharp teeth\ncat\t0 0.5");
  ASSERT_EQ(matrix.classes.size(), 2u);
  EXPECT_EQ(matrix.classes.text(1), "dog");
  EXPECT_EQ(matrix(0, 0), 0);
  EXPECT_EQ(matrix(0, 1), 0.5);
  EXPECT_EQ(matrix(1, 0), 2);
}

TEST(CostMatrix, IsTheTextItselfWhereThatHasSeveralLines) {
  const CostMatrix matrix = read_cost_matrix("cat dog\ndog 2 0\ncat 0 0.5");
  EXPECT_EQ(matrix.name, "cost matrix");
  EXPECT_EQ(matrix(0, 1), 0.5);
  EXPECT_EQ(matrix(1, 0), 2);
  try {
    read_cost_matrix("a b\na 0 1\n");
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("cost matrix:1: the class 'b' is named here and has no row"),
              std::string::npos)
        << error.what();
  }
}

TEST(CostMatrix, RefusesWithFileLineAndFix) {
  expect_trouble("", "has no line with the names");
  expect_trouble("\n# only this\n", "has no line with the names");
  expect_trouble("a b a\n", "costs:1: the class 'a' is named twice");
  expect_trouble("a b\na 0\n", "costs:2: found 2 words, but a row is its class and 2 costs");
  expect_trouble("a b\na 0 1 2\n", "costs:2: found 4 words");
  expect_trouble("a b\nc 0 1\n", "costs:2: the class 'c' is not in the first line");
  expect_trouble("a b\na 0 1\na 0 1\n", "costs:3: the class 'a' has a row already, in line 2");
  expect_trouble("# two\na b\na 0 1\n", "costs:2: the class 'b' is named here and has no row: add it");
  for (const char* bad : {"x", "nan", "inf", "-1", "1e999"})
    expect_trouble(std::string("a b\na 0 ") + bad + "\n",
                   "costs:2: found '" + std::string(bad) + "', but a cost");
  expect_trouble("a b\na 1 1\n", "costs:2: answering 'a' rightly costs 1, but must cost 0");
}

}  // namespace
}  // namespace hinge
