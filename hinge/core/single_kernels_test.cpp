#include "hinge/core/single_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hinge/core/kernels.h"
#include "hinge/core/random.h"
#include "hinge/core/single_lanes.h"

namespace hinge::kernels {
namespace {

std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> numbers(count);
  for (float& v : numbers) v = static_cast<float>(random.normal());
  return numbers;
}
Vector wide(const std::vector<float>& in) { return {in.begin(), in.end()}; }

TEST(SingleKernels, ExponentialIsWithinRounding) {
  Random random(1);
  for (int k = 0; k < 2000; ++k) {
    float in[8];
    for (float& v : in) v = static_cast<float>(174 * random.uniform() - 87);
    single::Lane x = single::at(in);
    single::exponentiate(x);
    for (std::size_t j = 0; j < 8; ++j) {
      const double expected = std::exp(static_cast<double>(in[j]));
      EXPECT_NEAR(static_cast<double>(x[j]) / expected, 1, 2e-7) << in[j];
    }
  }
  const float odd[8] = {-INFINITY, -1e30f, -88, 0, 1, -1, 80, -80};
  single::Lane x = single::at(odd);
  single::exponentiate(x);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(x[j], 0);
  EXPECT_EQ(x[3], 1);
}

TEST(SingleKernels, LanesAreSummedComparedAndTransposed) {
  const std::vector<float> in = random_floats(8 * 11, 9);
  const single::Lane x = single::at(in.data());
  EXPECT_EQ(single::sum(x), ((in[0] + in[4]) + (in[1] + in[5])) + ((in[2] + in[6]) + (in[3] + in[7])));
  EXPECT_EQ(single::largest(x), *std::max_element(in.begin(), in.begin() + 8));
  std::vector<float> out(8 * 9);
  single::transpose(in.data(), 11, out.data(), 9);
  for (std::size_t a = 0; a < 8; ++a)
    for (std::size_t b = 0; b < 8; ++b) EXPECT_EQ(out[b * 9 + a], in[a * 11 + b]);
}

TEST(SingleKernels, RowsAreAddedAndMovedAsInDouble) {
  const std::vector<Index> row = {0, 2, 3, 6, 2};
  for (const std::size_t labels : {1u, 3u, 7u, 8u, 9u, 22u, 24u, 26u, 32u, 37u, 50u})
    for (const bool valued : {false, true})
      for (const bool shared : {false, true}) {
        std::vector<float> w = random_floats(7 * labels, 3), share = random_floats(7 * labels, 4);
        for (float& v : share) v = std::abs(v);
        w[2 * labels] = -0.0f;  // has no share
        share[2 * labels] = 0;
        const std::vector<float> in = random_floats(labels, 5), value = random_floats(row.size(), 6);
        const float* const values = valued ? value.data() : nullptr;
        std::vector<float> out = in;
        Vector wide_w = wide(w), wide_out = wide(in);
        const Vector wide_in = wide(in), wide_share = wide(share);
        add_rows(out.data(), labels, row.data(), values, row.size(), w.data());
        add_rows(wide_out.data(), labels, row.data(), values, row.size(), wide_w.data());
        for (std::size_t k = 0; k < labels; ++k) EXPECT_NEAR(static_cast<double>(out[k]), wide_out[k], 2e-6);
        const double growth = move_rows(w.data(), shared ? share.data() : nullptr, labels, row.data(), values,
                                        row.size(), in.data(), 0.5f);
        const double expected = move_rows(wide_w.data(), shared ? wide_share.data() : nullptr, labels,
                                          row.data(), values, row.size(), wide_in.data(), 0.5);
        EXPECT_NEAR(growth, expected, 2e-5 * (1 + std::abs(expected)));
        for (std::size_t j = 0; j < w.size(); ++j) EXPECT_NEAR(static_cast<double>(w[j]), wide_w[j], 2e-6);
        EXPECT_EQ(w[2 * labels], 0);
      }
}

}  // namespace
}  // namespace hinge::kernels
