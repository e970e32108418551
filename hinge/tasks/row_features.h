// What training fixes about the features of sparse rows: the indices that it uses, numbered 0, 1, 2, ..., and
// behind them a bias, one more feature of the same value in every row (0: there is none).
#pragma once

#include "hinge/core/archive.h"
#include "hinge/tasks/feature_set.h"

namespace hinge {

class RowFeatures {
 public:
  RowFeatures(FeatureSet features, double bias) : features_(std::move(features)), bias_(bias) {}
  // Throws InputError where the archive's make no sense.
  explicit RowFeatures(const Archive& archive);
  void save(Archive& archive) const;

  Index size() const { return static_cast<Index>(features_.size() + (bias_ != 0 ? 1 : 0)); }
  std::string name(Index feature) const {
    return feature == features_.size() ? "bias" : fmt::to_string(features_.indices()[feature]);
  }
  // Renumbers the features of a row, adds the bias, and returns how many the set lacks.
  std::size_t renumber(SparseRow& row) const;

 private:
  FeatureSet features_;
  double bias_;
};

}  // namespace hinge
