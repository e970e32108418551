#include "hinge/core/packed_numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "hinge/core/random.h"

namespace hinge {
namespace {

// Numbers of so many kinds.
Vector drawn(std::size_t size, std::size_t kinds) {
  Random random(size + kinds);
  Vector table(kinds), numbers(size);
  for (double& v : table) v = random.normal();
  if (kinds > 3) table[1] = NAN, table[2] = -0.0, table[3] = 0.0;
  for (double& v : numbers) v = table[random.below(kinds)];
  return numbers;
}

TEST(PackedNumbers, ComeBackToTheLastBitOneBehindTheOther) {
  for (const std::size_t size : {0u, 1u, 63u, 64u, 1000u, 20'000u})
    for (const std::size_t kinds : {1u, 2u, 256u, 257u, 4095u, 4096u, 4097u, 100'000u}) {
      const Vector numbers = drawn(size, kinds), others = drawn(70, 5);
      const std::string bytes = packed(numbers) + packed(others);
      std::string_view left = bytes;
      for (const Vector& one : {numbers, others}) {
        const Vector found = unpack_numbers(left, one.size());
        ASSERT_EQ(found.size(), one.size());
        EXPECT_TRUE(one.empty() || std::memcmp(found.data(), one.data(), one.size() * sizeof(double)) == 0)
            << size << " " << kinds;
      }
      EXPECT_TRUE(left.empty());
    }
}

TEST(PackedNumbers, AreShortWhereFewAreDifferent) {
  EXPECT_LT(packed(drawn(20'000, 200)).size(), 22'000u);
  EXPECT_LT(packed(drawn(20'000, 1000)).size(), 50'000u);
  EXPECT_EQ(packed(drawn(20'000, 1'000'000)).size(), 160'004u);
}

}  // namespace
}  // namespace hinge
