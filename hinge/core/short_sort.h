// A few dozen items in ascending order of their keys, many times over: the place of each is how many keys are smaller,
// which is counted without a branch that would be guessed wrong. n² / 2 comparisons; more items go to std::sort.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace hinge {

// key(item) is a std::uint64_t.
template <class T, class Key>
void short_sort(std::vector<T>& items, const Key& key) {
  constexpr std::size_t kMost = 40;
  const std::size_t count = items.size();
  if (count > kMost) return void(std::ranges::sort(items, {}, key));
  std::array<T, kMost> before;
  std::array<std::uint64_t, kMost> keys;
  std::array<std::uint32_t, kMost> place{};
  for (std::size_t i = 0; i < count; ++i) {
    before[i] = items[i];
    keys[i] = key(items[i]);
    std::uint32_t smaller = 0;
    for (std::size_t j = 0; j < i; ++j) {
      const std::uint32_t first = keys[j] <= keys[i];
      smaller += first;
      place[j] += 1 - first;
    }
    place[i] = smaller;
  }
  for (std::size_t i = 0; i < count; ++i) items[place[i]] = before[i];
}

}  // namespace hinge
