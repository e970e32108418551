// A symmetric table stored once: the cell of states (a, b), b ≤ a, is a (a + 1) / 2 + b.
#pragma once

#include <cmath>
#include <utility>

namespace hinge {

inline std::size_t symmetric_cell(std::size_t a, std::size_t b) {
  if (a < b) std::swap(a, b);
  return a * (a + 1) / 2 + b;
}

inline std::pair<std::size_t, std::size_t> symmetric_pair(std::size_t cell) {
  auto a = static_cast<std::size_t>((std::sqrt(8 * static_cast<double>(cell) + 1) - 1) / 2);
  while (a * (a + 1) / 2 > cell) --a;  // whatever the square root was rounded to
  while ((a + 1) * (a + 2) / 2 <= cell) ++a;
  return {a, cell - a * (a + 1) / 2};
}

}  // namespace hinge
