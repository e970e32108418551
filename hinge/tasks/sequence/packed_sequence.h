// A sequence of which each position has rows of weights, and pairs of a label and a weight (packed_emissions.h).
#pragma once

#include <span>
#include <vector>

#include "hinge/core/vector.h"

namespace hinge {

struct PackedSequence {
  std::vector<Index> start = {0};  // of the rows of position 0, of its pairs, of the rows of position 1, ...
  std::vector<Index> attribute;
  std::vector<float> value;  // empty when every value is 1

  std::size_t length() const { return start.size() / 2; }
  std::span<const Index> rows(std::size_t t) const { return part(2 * t); }
  std::span<const Index> pairs(std::size_t t) const { return part(2 * t + 1); }
  // Beside rows or pairs; null when every value is 1.
  const float* values(std::span<const Index> of) const {
    return value.empty() ? nullptr : value.data() + (of.data() - attribute.data());
  }
  float value_of(std::span<const Index> of, std::size_t k) const {
    return value.empty() ? 1.0f : values(of)[k];
  }

 private:
  std::span<const Index> part(std::size_t p) const {
    return {attribute.data() + start[p], start[p + 1] - start[p]};
  }
};

}  // namespace hinge
