// Brings features to one size: each is divided by the largest absolute value that it has in training data.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "hinge/tasks/feature_rows.h"

namespace hinge {

struct FeatureScale {
  std::vector<float> divisor;  // of each feature; empty when nothing is scaled

  // Sees more rows; there is a divisor for each of their features.
  void fit(const FeatureRows& rows) {
    for (std::size_t k = 0; k < rows.attribute.size(); ++k) {
      float& largest = divisor[rows.attribute[k]];
      largest = std::max(largest, std::abs(rows.value_of(k)));
    }
  }
  void apply(FeatureRows& rows) const {
    if (divisor.empty()) return;
    if (rows.value.empty()) rows.value.assign(rows.attribute.size(), 1.0f);
    for (std::size_t k = 0; k < rows.attribute.size(); ++k) rows.value[k] /= divisor[rows.attribute[k]];
  }
};

}  // namespace hinge
