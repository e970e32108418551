#include "hinge/solvers/packed_slopes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "hinge/core/random.h"

namespace hinge {
namespace {

// So many entries among `weights`, whole numbers of a byte, numbers that fit a float, or others.
SparseVector draw(Random& random, std::size_t weights, std::size_t entries, int kind) {
  std::vector<Index> indices;
  for (std::size_t k = 0; k < entries; ++k) indices.push_back(static_cast<Index>(random.below(weights)));
  std::ranges::sort(indices);
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  SparseVector slope;
  for (const Index j : indices) {
    const double whole = static_cast<double>(random.below(200)) - 100;
    slope.add(j, kind == 0 ? whole + (whole == 0) : kind == 1 ? 0.25 * whole + 1000 : random.uniform());
  }
  return slope;
}

// All that is asked of them, beside the slopes as they were given.
void expect_same(const PackedSlopes& packed, const std::vector<SparseVector>& slopes, const Vector& w) {
  ASSERT_EQ(packed.count(), slopes.size());
  Vector room, dots(slopes.size());
  const double* row = packed.row(w.data(), room);
  packed.dots(row, dots.data());
  const bool listed = w.size() > PackedSlopes::kNear;
  EXPECT_EQ(packed.listed(), listed);
  std::vector<Index> used;
  std::size_t entries = 0;
  for (std::size_t p = 0; p < slopes.size(); ++p) {
    EXPECT_TRUE(packed.equals(p, slopes[p]));
    EXPECT_NEAR(dots[p], slopes[p].dot(w), 1e-10 * (1 + std::abs(dots[p])));
    SparseVector copy;
    packed.copy(p, copy);
    EXPECT_TRUE(std::ranges::equal(copy.indices(), slopes[p].indices()));
    EXPECT_TRUE(std::ranges::equal(copy.values(), slopes[p].values()));
    EXPECT_EQ(packed.dot(p, row), dots[p]);
    Vector sum(listed ? packed.list().size() : w.size());
    packed.add(p, -2, sum.data());
    double product = 0;
    for (std::size_t l = 0; l < sum.size(); ++l) product += sum[l] * row[l];
    EXPECT_NEAR(product, -2 * dots[p], 1e-9 * (1 + std::abs(product)));
    packed.for_each_place(p, [&](std::size_t place, Index j, double) { EXPECT_EQ(row[place], w[j]); });
    used.insert(used.end(), slopes[p].indices().begin(), slopes[p].indices().end());
    entries += slopes[p].size();
  }
  EXPECT_EQ(packed.size(), entries);
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  std::vector<Index> names = packed.list();
  std::ranges::sort(names);
  if (!packed.listed()) used.clear();
  EXPECT_EQ(names, used);  // each once, and none that no slope has
}

TEST(PackedSlopes, AreTheSlopesThatWereGiven) {
  for (const std::size_t weights : {40u, 300'000u})
    for (const int last : {0, 1, 2}) {
      SCOPED_TRACE(testing::Message() << weights << " weights, values of kind " << last);
      Random random(weights + static_cast<std::size_t>(last));
      Vector w(weights);
      for (double& v : w) v = random.uniform() - 0.5;
      PackedSlopes packed(weights);
      std::vector<SparseVector> slopes;
      for (int p = 0; p < 12; ++p) {
        // Of 300,000 weights the list needs places of more than two bytes from the seventh slope on.
        slopes.push_back(p == 3 ? SparseVector() : draw(random, weights, weights / 20, p < 8 ? 0 : last));
        packed.append(slopes.back());
        EXPECT_EQ(packed.equals(0, slopes.back()), p == 0);
      }
      expect_same(packed, slopes, w);
      packed.keep(std::vector<std::size_t>{1, 3, 9});
      slopes = {slopes[1], slopes[3], slopes[9]};
      expect_same(packed, slopes, w);
      slopes.push_back(draw(random, weights, weights / 10, 0));
      packed.append(slopes.back());
      expect_same(packed, slopes, w);

      Snapshot written;
      packed.keep(written);
      Snapshot read(written.bytes());
      PackedSlopes again(weights);
      again.keep(read);
      expect_same(again, slopes, w);
    }
}

}  // namespace
}  // namespace hinge
