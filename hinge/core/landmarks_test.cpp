#include "hinge/core/landmarks.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hinge/core/random.h"

namespace hinge {
namespace {

// K = A Aᵀ of n random rows with `rank` columns.
struct RandomKernel {
  RandomKernel(std::size_t n, std::size_t rank, std::uint64_t seed) : entries(n, std::vector<double>(n)) {
    Random random(seed);
    std::vector<std::vector<double>> a(n, std::vector<double>(rank));
    for (auto& row : a)
      for (double& v : row) v = random.normal();
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < rank; ++k) entries[i][j] += a[i][k] * a[j][k];
    for (std::size_t i = 0; i < n; ++i) diagonal.push_back(entries[i][i]);
  }
  Landmarks choose(std::size_t most) const {
    return choose_landmarks(
        diagonal, [&](std::size_t i, std::span<double> out) { std::ranges::copy(entries[i], out.begin()); },
        most, 1e-10);
  }
  std::vector<double> map(const Landmarks& landmarks, std::size_t i) const {
    std::vector<double> k;
    for (const std::size_t pivot : landmarks.pivots) k.push_back(entries[pivot][i]);
    landmarks.solve(k);
    return k;
  }

  std::vector<std::vector<double>> entries;
  std::vector<double> diagonal;
};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

TEST(Landmarks, ProductsAreTheMatrixWhereThereIsRoom) {
  for (const std::size_t rank : {1u, 4u, 12u}) {
    const RandomKernel kernel(12, rank, 7 + rank);
    const Landmarks landmarks = kernel.choose(12);
    EXPECT_EQ(landmarks.size(), rank);
    EXPECT_LE(landmarks.rest, 1e-10);
    for (std::size_t i = 0; i < 12; ++i)
      for (std::size_t j = 0; j < 12; ++j)
        EXPECT_NEAR(dot(kernel.map(landmarks, i), kernel.map(landmarks, j)), kernel.entries[i][j], 1e-8);
  }
}

TEST(Landmarks, FewerAreWithinTheirRest) {
  const RandomKernel kernel(20, 20, 3);
  double before = std::numeric_limits<double>::infinity();
  for (const std::size_t most : {2u, 5u, 10u, 19u}) {
    const Landmarks landmarks = kernel.choose(most);
    EXPECT_EQ(landmarks.size(), most);
    EXPECT_GT(landmarks.rest, 1e-6);
    EXPECT_LE(landmarks.rest, before);
    before = landmarks.rest;
    for (std::size_t i = 0; i < 20; ++i)
      for (std::size_t j = 0; j < 20; ++j)
        EXPECT_LE(std::abs(dot(kernel.map(landmarks, i), kernel.map(landmarks, j)) - kernel.entries[i][j]),
                  landmarks.rest + 1e-8);
  }
}

}  // namespace
}  // namespace hinge
