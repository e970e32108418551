#include "hinge/tasks/row_features.h"

#include <cmath>

namespace hinge {

RowFeatures::RowFeatures(const Archive& archive) : features_(archive.get<Index>("features")), bias_(0) {
  const auto& bias = archive.get<double>("bias");
  if (bias.size() != 1 || !std::isfinite(bias[0]) ||
      !std::ranges::is_sorted(features_.indices(), std::ranges::less_equal()))
    fail("the model's features are not in order: train the model again.");
  bias_ = bias[0];
}

void RowFeatures::save(Archive& archive) const {
  archive.arrays["features"] = features_.indices();
  archive.arrays["bias"] = std::vector<double>{bias_};
}

std::size_t RowFeatures::renumber(SparseRow& row) const {
  const std::size_t unseen = features_.renumber(row);
  if (bias_ != 0) {
    row.index.push_back(static_cast<Index>(features_.size()));
    row.value.push_back(static_cast<float>(bias_));
  }
  return unseen;
}

}  // namespace hinge
