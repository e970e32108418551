#include "hinge/core/sparse_vector.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "hinge/core/random.h"

namespace hinge {
namespace {

using Reference = std::map<Index, double>;

// Values are small integers over 8, so that every sum and product below is exact.
double exact_value(Random& random) { return (static_cast<double>(random.below(17)) - 8) / 8; }

// Entries as features arrive: runs, ascending or not, with repeats and zeros.
SparseVector arbitrary(Random& random, Index dimension, Reference& reference) {
  SparseVector vector;
  for (std::size_t runs = random.below(5); runs > 0; --runs) {
    Index index = static_cast<Index>(random.below(dimension));
    const bool ascending = random.below(3) != 0;
    for (std::size_t length = random.below(12); length > 0 && index < dimension; --length) {
      const double value = exact_value(random);
      vector.add(index, value);
      reference[index] += value;
      index = ascending ? index + static_cast<Index>(random.below(4))
                        : static_cast<Index>(random.below(dimension));
    }
  }
  std::erase_if(reference, [](const auto& entry) { return entry.second == 0; });
  return vector;
}

Reference contents(const SparseVector& vector) {
  Reference entries;
  for (std::size_t k = 0; k < vector.size(); ++k) entries[vector.indices()[k]] = vector.values()[k];
  return entries;
}

void expect_in_order(const SparseVector& vector) {
  for (std::size_t k = 0; k < vector.size(); ++k) {
    EXPECT_NE(vector.values()[k], 0);
    if (k > 0) {
      EXPECT_LT(vector.indices()[k - 1], vector.indices()[k]);
    }
  }
}

TEST(SparseVector, CompressesToWhatAMapHolds) {
  Random random(1);
  for (int trial = 0; trial < 3000; ++trial) {
    Reference reference;
    // Few indices are summed at their places, many merged.
    const Index most = trial % 2 == 0 ? 60 : 1 << 20;
    SparseVector vector = arbitrary(random, 1 + static_cast<Index>(random.below(most)), reference);
    vector.compress();
    expect_in_order(vector);
    ASSERT_EQ(contents(vector), reference) << "trial " << trial;
    const SparseVector once = vector;
    vector.compress();
    ASSERT_EQ(vector, once);
  }
}

TEST(SparseVector, CompressesManyRunsAndDescendingOrder) {
  for (const Index apart : {1, 1000}) {
    SparseVector vector;
    for (Index i = 1000; i-- > 0;) vector.add(apart * i, i);
    vector.compress();
    ASSERT_EQ(vector.size(), 999u);  // the value at 0 is 0
    for (Index i = 1; i < 1000; ++i) ASSERT_EQ(vector.values()[i - 1], i);
  }
}

TEST(SparseVector, SumsEqualIndicesInTheOrderTheyCame) {
  for (const Index last : {7, 7000}) {
    SparseVector vector;  // the other order would give 0
    vector.add(last, 1e16);
    vector.add(last, -1e16);
    vector.add(3, 2);
    vector.add(last, 1);
    vector.compress();
    EXPECT_EQ(contents(vector), (Reference{{3, 2}, {last, 1}}));
  }
}

TEST(SparseVector, CombinesAndMultiplies) {
  Random random(2);
  for (int trial = 0; trial < 1000; ++trial) {
    const Index dimension = 1 + static_cast<Index>(random.below(40));
    Reference ra, rb;
    SparseVector a = arbitrary(random, dimension, ra), b = arbitrary(random, dimension, rb), sum;
    a.compress(), b.compress();

    Vector diagonal(dimension), w(dimension);
    for (double& d : diagonal) d = exact_value(random);
    for (double& v : w) v = exact_value(random);
    double product = 0, weighted = 0, against_w = 0;
    for (const auto& [index, value] : ra) {
      const double other = rb.contains(index) ? rb[index] : 0;
      product += value * other;
      weighted += value * other * diagonal[index];
      against_w += value * w[index];
    }
    ASSERT_EQ(a.dot(b), product);
    ASSERT_EQ(b.dot(a), product);
    ASSERT_EQ(a.dot(b, diagonal), weighted);
    ASSERT_EQ(a.dot(b, {}), product);
    ASSERT_EQ(a.dot(w), against_w);

    const double factor = 0.25 * static_cast<double>(1 + random.below(8));
    combine(a, factor, b, sum);
    Vector dense(dimension, 0.0);
    a.add_to(dense, 1), b.add_to(dense, factor);
    Reference expected;
    for (Index i = 0; i < dimension; ++i)
      if (dense[i] != 0) expected[i] = dense[i];
    ASSERT_EQ(contents(sum), expected);
    ASSERT_EQ(sum.dot(w), a.dot(w) + factor * b.dot(w));
    expect_in_order(sum);
  }
}

TEST(SparseVector, KeepsItsStorageWhenCleared) {
  SparseVector vector;
  for (Index i = 0; i < 100; ++i) vector.add(i, 1);
  const std::size_t bytes = vector.bytes();
  vector.clear();
  EXPECT_TRUE(vector.empty());
  EXPECT_EQ(vector.bytes(), bytes);
  vector.shrink();
  EXPECT_EQ(vector.bytes(), 0u);
}

}  // namespace
}  // namespace hinge
