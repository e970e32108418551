// Rows of sparse features, one after the other: those of row t are [start[t], start[t + 1]), in ascending
// order, each once.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
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

// Gives attributes other numbers; rows are put in order again.
inline void renumber(FeatureRows& rows, std::span<const Index> numbers) {
  std::vector<std::pair<Index, float>> row;
  for (std::size_t t = 0; t < rows.length(); ++t) {
    row.clear();
    for (std::size_t k = rows.start[t]; k < rows.start[t + 1]; ++k)
      row.emplace_back(numbers[rows.attribute[k]], rows.value_of(k));
    std::ranges::sort(row);
    for (std::size_t k = 0; k < row.size(); ++k) {
      rows.attribute[rows.start[t] + k] = row[k].first;
      if (!rows.value.empty()) rows.value[rows.start[t] + k] = row[k].second;
    }
  }
}

}  // namespace hinge
