#include "hinge/core/short_sort.h"

#include <gtest/gtest.h>

#include <utility>

#include "hinge/core/random.h"

namespace hinge {
namespace {

TEST(ShortSort, SortsAsTheStandardDoes) {
  Random random(1);
  for (std::size_t size = 0; size < 100; ++size)
    for (const std::uint64_t range : {3u, 1000u}) {
      std::vector<std::uint64_t> numbers(size);
      for (std::uint64_t& number : numbers) number = random.below(range) << 40 | random.below(2);
      std::vector<std::uint64_t> expected = numbers;
      std::ranges::sort(expected);
      short_sort(numbers, [](std::uint64_t number) { return number; });
      EXPECT_EQ(numbers, expected) << size;
    }
}

TEST(ShortSort, LeavesFewItemsOfOneKeyAsTheyCame) {
  using Item = std::pair<std::uint64_t, int>;
  std::vector<Item> items = {{2, 0}, {1, 1}, {2, 2}, {1, 3}, {0, 4}};
  short_sort(items, [](const Item& item) { return item.first; });
  EXPECT_EQ(items, (std::vector<Item>{{0, 4}, {1, 1}, {1, 3}, {2, 0}, {2, 2}}));
}

}  // namespace
}  // namespace hinge
