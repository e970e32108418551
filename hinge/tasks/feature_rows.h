// Rows of sparse features, one after the other: those of row t are [start[t], start[t + 1]), in ascending
// order, each once.
#pragma once

#include <span>
#include <vector>

#include "hinge/core/vector.h"

namespace hinge {

struct FeatureRows {
  std::vector<Index> start = {0};
  std::vector<Index> attribute;
  std::vector<float> value;  // empty when every value is 1

  std::size_t length() const { return start.size() - 1; }
  std::span<const Index> attributes(std::size_t t) const {
    return {attribute.data() + start[t], start[t + 1] - start[t]};
  }
  // Beside the attributes of row t; null when every value is 1.
  const float* values(std::size_t t) const { return value.empty() ? nullptr : value.data() + start[t]; }
  float value_of(std::size_t k) const { return value.empty() ? 1.0f : value[k]; }
};

}  // namespace hinge
