#include "hinge/core/sum.h"

#include <gtest/gtest.h>

#include "hinge/core/random.h"
#include "hinge/parallel/thread_executor.h"

namespace hinge {
namespace {

TEST(TreeSum, AddsAsATreeOfAlignedHalves) {
  const std::vector<double> v = {1e16, 1, -1e16, 1, 3, 0.1, 0.2};
  const double tree = ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + v[6]);
  EXPECT_EQ(tree_sum(v), tree);
  EXPECT_EQ(tree_sum({}), 0);
  EXPECT_EQ(tree_sum(std::span(v).first(1)), 1e16);
}

// The same bits for any number of workers; the sum that long doubles give within rounding; room is clean.
TEST(DenseSum, HasTheSameBitsForAnyNumberOfWorkers) {
  for (const std::size_t examples : {1, 2, 15, 16, 40, 100, 1000})
    for (const std::size_t dimension : {0, 1, 7, 100}) {
      Random random(examples * 101 + dimension);
      std::vector<Vector> rows(examples, Vector(dimension));
      for (Vector& row : rows)
        for (double& v : row) v = random.normal() * std::exp(10 * random.normal());
      const auto add = [&](std::size_t i, std::span<double> sum) {
        for (std::size_t j = 0; j < dimension; ++j) sum[j] += rows[i][j];
        return 0.1 * static_cast<double>(i);
      };
      Vector first;
      double value = 0;
      for (const std::size_t workers : {1, 2, 3, 5, 16, 40}) {
        const auto executor = make_executor(workers);
        DenseSum sum;
        for (int repeat = 0; repeat < 2; ++repeat) {
          Vector result(dimension, 7.0);
          const double returned = sum(examples, *executor, add, result);
          if (first.empty() && value == 0) first = result, value = returned;
          EXPECT_EQ(result, first);
          EXPECT_EQ(returned, value);
        }
      }
      EXPECT_NEAR(value, 0.05 * static_cast<double>(examples) * static_cast<double>(examples - 1),
                  1e-9 * static_cast<double>(examples * examples));
      for (std::size_t j = 0; j < dimension; ++j) {
        long double exact = 0, size = 0;
        for (const Vector& row : rows) exact += row[j], size += std::abs(row[j]);
        EXPECT_NEAR(first[j], static_cast<double>(exact), 1e-13 * static_cast<double>(size));
      }
    }
}

// 16 pieces of 16 examples each, four branches a node, from left to right.
TEST(DenseSum, AddsPiecesAsATreeOfFours) {
  Random random(9);
  Vector numbers(256);
  for (double& v : numbers) v = random.normal() * std::exp(20 * random.normal());
  std::vector<double> nodes(4, 0.0);
  for (std::size_t piece = 0; piece < 16; ++piece) {
    double sum = 0;
    for (std::size_t i = 16 * piece; i < 16 * (piece + 1); ++i) sum += numbers[i];
    nodes[piece / 4] = piece % 4 == 0 ? sum : nodes[piece / 4] + sum;
  }
  SerialExecutor executor;
  DenseSum sum;
  Vector result(1);
  sum(
      256, executor,
      [&](std::size_t i, std::span<double> s) {
        s[0] += numbers[i];
        return 0.0;
      },
      result);
  EXPECT_EQ(result[0], ((nodes[0] + nodes[1]) + nodes[2]) + nodes[3]);
}

TEST(DenseSum, SurvivesABodyThatThrows) {
  SerialExecutor executor;
  DenseSum sum;
  Vector result(3);
  EXPECT_THROW(sum(
                   10, executor,
                   [](std::size_t i, std::span<double> s) {
                     s[0] += 1;
                     return i == 4 ? throw std::runtime_error("stop") : 1.0;
                   },
                   result),
               std::runtime_error);
  EXPECT_EQ(sum(
                10, executor,
                [](std::size_t, std::span<double> s) {
                  s[0] += 1;
                  return 1.0;
                },
                result),
            10);
  EXPECT_EQ(result, (Vector{10, 0, 0}));
}

TEST(DenseSum, PiecesDependOnSizesAlone) {
  const SerialExecutor executor;
  EXPECT_EQ(DenseSum::pieces(1, 10, executor), 2u);
  EXPECT_EQ(DenseSum::pieces(10, 100, executor), 10u);  // one example each, however few
  EXPECT_EQ(DenseSum::pieces(10, 10'000, executor), 2u);
  EXPECT_EQ(DenseSum::pieces(100'000, 10, executor), 64u);
  EXPECT_EQ(DenseSum::pieces(8'936, 450'000, executor), 16u);
  EXPECT_EQ(DenseSum::pieces(100'000, 100'000'000, executor), 2u);
}

}  // namespace
}  // namespace hinge
