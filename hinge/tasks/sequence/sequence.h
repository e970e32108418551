// One sequence: at each position a set of attributes (names by number, with values), and a label or none.
#pragma once

#include <vector>

#include "hinge/core/vector.h"

namespace hinge {

// Attributes of all positions, one after the other: those of position t are [start[t], start[t + 1]), in
// ascending order, each once.
struct Sequence {
  std::vector<Index> start = {0};
  std::vector<Index> attribute;
  std::vector<float> value;  // empty when every value is 1

  std::size_t length() const { return start.size() - 1; }
  float value_of(std::size_t k) const { return value.empty() ? 1.0f : value[k]; }
};

// A label for each position; kUnknown where the data has none ('?').
inline constexpr int kUnknown = -1;
using Labels = std::vector<int>;

}  // namespace hinge
