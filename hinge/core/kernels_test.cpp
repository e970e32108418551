#include "hinge/core/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hinge/core/random.h"

namespace hinge::kernels {
namespace {

Vector random_numbers(std::size_t count, std::uint64_t seed, double scale = 1) {
  Random random(seed);
  Vector numbers(count);
  for (double& v : numbers) v = scale * random.normal();
  return numbers;
}

TEST(Kernels, ExponentialIsWithinRounding) {
  Random random(1);
  Vector in(4096), out(4096);
  for (double& v : in) v = 1416 * random.uniform() - 708;
  exponential(out.data(), in.data(), in.size(), 0, 1);
  for (std::size_t k = 0; k < in.size(); ++k) EXPECT_NEAR(out[k] / std::exp(in[k]), 1, 2e-15) << in[k];
  const double infinity = std::numeric_limits<double>::infinity();
  const Vector odd = {-infinity, -709, 0, 3};
  exponential(out.data(), odd.data(), 4, 1, 2);
  EXPECT_EQ(out[0], 0);
  EXPECT_EQ(out[1], 0);
  EXPECT_NEAR(out[2], std::exp(-2.0), 1e-15);
  EXPECT_NEAR(out[3], std::exp(4.0), 1e-13);
}

TEST(Kernels, LogarithmIsWithinRounding) {
  Random random(2);
  Vector in(4096), out(4096);
  for (std::size_t k = 0; k < in.size(); ++k)
    in[k] = k % 2 == 0 ? std::exp(1400 * random.uniform() - 700) : 0.5 + random.uniform();
  in[0] = 1, in[1] = std::sqrt(0.5), in[2] = std::sqrt(2.0), in[3] = 2;
  logarithm(out.data(), in.data(), in.size());
  EXPECT_EQ(out[0], 0);
  for (std::size_t k = 0; k < in.size(); ++k)
    EXPECT_NEAR(out[k], std::log(in[k]), 1e-15 * (std::abs(in[k] - 1) + std::abs(std::log(in[k])))) << in[k];
}

TEST(Kernels, ProductsOfMaximaEqualPlainLoops) {
  for (std::size_t stride : {4u, 8u, 12u, 16u, 24u, 40u})
    for (const auto& [rows, inner] : {std::pair<std::size_t, std::size_t>{1, 1}, {3, 5}, {7, 2}}) {
      const Vector left = random_numbers(rows * inner, stride), right = random_numbers(inner * stride, rows);
      Vector along(rows * stride), across(rows * stride), transposed(rows * inner);
      for (std::size_t a = 0; a < rows; ++a)
        for (std::size_t c = 0; c < inner; ++c) transposed[c * rows + a] = left[a * inner + c];
      max_product(along.data(), left.data(), inner, 1, right.data(), rows, inner, stride);
      max_product(across.data(), transposed.data(), 1, rows, right.data(), rows, inner, stride);
      EXPECT_EQ(along, across);
      for (std::size_t a = 0; a < rows; ++a)
        for (std::size_t b = 0; b < stride; ++b) {
          double most = left[a * inner] + right[b];
          for (std::size_t c = 1; c < inner; ++c)
            most = std::max(most, left[a * inner + c] + right[c * stride + b]);
          EXPECT_EQ(along[a * stride + b], most);
        }
    }
}

TEST(Kernels, RowsAreAddedAndPouredAsByPlainLoops) {
  const std::vector<Index> row = {0, 2, 3, 6};
  const std::vector<float> value = {0.5f, -1, 2, 3};
  for (std::size_t labels : {1u, 3u, 4u, 7u, 8u, 12u, 16u, 22u, 24u, 37u}) {
    const Vector w = random_numbers(7 * labels, labels), in = random_numbers(labels, 1);
    for (const float* values : {static_cast<const float*>(nullptr), value.data()}) {
      Vector sum = in, poured = w;
      add_rows(sum.data(), labels, row.data(), values, row.size(), w.data());
      add_to_rows(poured.data(), labels, row.data(), values, row.size(), in.data(), 0.25);
      Vector expected_sum = in, expected = w;
      for (std::size_t a = 0; a < row.size(); ++a)
        for (std::size_t k = 0; k < labels; ++k) {
          const double v = values == nullptr ? 1 : values[a];
          expected_sum[k] += v * w[row[a] * labels + k];
          expected[row[a] * labels + k] += 0.25 * v * in[k];
        }
      for (std::size_t k = 0; k < labels; ++k) EXPECT_NEAR(sum[k], expected_sum[k], 1e-14 * 20);
      for (std::size_t j = 0; j < w.size(); ++j) EXPECT_NEAR(poured[j], expected[j], 1e-14 * 20);
    }
  }
}

// Data without any feature has no weights either; the sanitizer looks at the pointers.
TEST(Kernels, NoRowsNeedNoWeights) {
  Vector sum = random_numbers(37, 1);
  const Vector before = sum;
  add_rows(sum.data(), sum.size(), nullptr, nullptr, 0, nullptr);
  EXPECT_EQ(sum, before);
}

// Every number of labels around the sizes of the column blocks, against plain loops.
TEST(Kernels, MatrixLoopsEqualPlainOnes) {
  for (std::size_t labels : {1u, 2u, 3u, 4u, 5u, 8u, 11u, 12u, 13u, 16u, 17u, 22u, 26u, 28u, 33u, 200u}) {
    const std::size_t stride = padded(labels), rows = 7;
    const Vector matrix = random_numbers(labels * stride, labels), in = random_numbers(stride, 2);
    const Vector left = random_numbers(rows * stride, 3), right = random_numbers(rows * stride, 4);
    Vector best(stride), sum(stride), product = random_numbers(labels * stride, 5), expected = product;
    max_plus(best.data(), in.data(), matrix.data(), labels, stride);
    Vector positive = matrix, times(stride);
    for (double& v : positive) v = std::abs(v);
    max_times(times.data(), in.data(), positive.data(), labels, stride);
    multiply(sum.data(), in.data(), matrix.data(), labels, stride);
    add_product(product.data(), left.data(), right.data(), rows, labels, stride);
    for (std::size_t b = 0; b < labels; ++b) {
      double most = 0;
      for (std::size_t a = 0; a < labels; ++a) most = std::max(most, in[a] * positive[a * stride + b]);
      EXPECT_EQ(times[b], most);
      double top = -std::numeric_limits<double>::infinity(), total = 0;
      for (std::size_t a = 0; a < labels; ++a) {
        top = std::max(top, in[a] + matrix[a * stride + b]);
        total += in[a] * matrix[a * stride + b];
        for (std::size_t t = 0; t < rows; ++t)
          expected[a * stride + b] += left[t * stride + a] * right[t * stride + b];
        EXPECT_NEAR(product[a * stride + b], expected[a * stride + b], 1e-13);
      }
      EXPECT_EQ(best[b], top);
      EXPECT_NEAR(sum[b], total, 1e-13 * static_cast<double>(labels));
    }
    EXPECT_EQ(maximum(in.data(), labels),
              *std::max_element(in.begin(), in.begin() + static_cast<long>(labels)));
  }
}

TEST(Kernels, SparseLoopsEqualPlainOnes) {
  const std::vector<Index> rows = {3, 39, 0, 7, 8, 20};
  const std::vector<float> values = {1, -2, 0.5f, 3, 0.25f, 1};
  for (std::size_t labels : {1u, 3u, 4u, 5u, 15u, 20u, 22u, 47u}) {
    const Vector w = random_numbers(40 * labels, labels);
    Vector ones(labels, 0.5), valued(labels, 0.5);
    add_rows(ones.data(), labels, rows.data(), nullptr, rows.size(), w.data());
    add_rows(valued.data(), labels, rows.data(), values.data(), rows.size(), w.data());
    for (std::size_t k = 0; k < labels; ++k) {
      double plain = 0.5, weighted = 0.5;
      for (std::size_t a = 0; a < rows.size(); ++a) {
        plain += w[rows[a] * labels + k];
        weighted += static_cast<double>(values[a]) * w[rows[a] * labels + k];
      }
      EXPECT_NEAR(ones[k], plain, 1e-14);
      EXPECT_NEAR(valued[k], weighted, 1e-14);
    }
  }
  const Vector w = random_numbers(40, 1);
  for (std::size_t count = 0; count <= rows.size(); ++count) {
    double expected = 0;
    for (std::size_t k = 0; k < count; ++k) expected += static_cast<double>(values[k]) * w[rows[k]];
    EXPECT_NEAR(sparse_dot(rows.data(), values.data(), count, w.data()), expected, 1e-14);
  }
}

}  // namespace
}  // namespace hinge::kernels
