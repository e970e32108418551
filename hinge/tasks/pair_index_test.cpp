#include "hinge/tasks/pair_index.h"

#include <gtest/gtest.h>

namespace hinge {
namespace {

// Every weight has one pair, and its row leads back to it.
void expect_inverse(const PairIndex& index) {
  ASSERT_TRUE(index.sound());
  for (Index weight = 0; weight < index.size(); ++weight) {
    const auto [row, column] = index.pair(weight);
    if (index.dense()) {
      EXPECT_EQ(index.row(row) + column, weight);
    } else {
      EXPECT_TRUE(index.begin(row) <= weight && weight < index.end(row));
      EXPECT_EQ(index.column(weight), column);
    }
  }
}

TEST(PairIndex, FindsThePairOfEveryWeight) {
  expect_inverse({3, 4});
  expect_inverse({4, 3, {0, 2, 2, 3, 6}, {0, 2, 1, 0, 1, 2}});  // the second row has none
  EXPECT_EQ(PairIndex(3, 4).size(), 12u);
  EXPECT_EQ(PairIndex(4, 3, {0, 2, 2, 3, 6}, {0, 2, 1, 0, 1, 2}).size(), 6u);
}

TEST(PairIndex, SeesWhatIsNotSound) {
  EXPECT_FALSE(PairIndex(2, 3, {0, 1}, {0}).sound());        // a row is missing
  EXPECT_FALSE(PairIndex(2, 3, {0, 2, 1}, {0}).sound());     // a row ends before it begins
  EXPECT_FALSE(PairIndex(2, 3, {0, 1, 2}, {0, 3}).sound());  // there is no column 3
  EXPECT_FALSE(PairIndex(2, 3, {0, 2, 2}, {1, 1}).sound());  // twice the same
  EXPECT_FALSE(PairIndex(2, 3, {0, 2, 2}, {1, 0}).sound());  // not ascending
  EXPECT_FALSE(PairIndex(2, 3, {}, {1}).sound());            // columns without rows
}

}  // namespace
}  // namespace hinge
