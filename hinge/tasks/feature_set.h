// The feature indices that training data uses, numbered 0, 1, 2, ... in ascending order, so that weights
// exist for these alone: a file with ten features hashed up to 2^31 costs ten.
#pragma once

#include <algorithm>
#include <vector>

#include "hinge/core/vector.h"
#include "hinge/tasks/svmlight.h"

namespace hinge {

class FeatureSet {
 public:
  static constexpr Index kNone = 0xffffffff;

  FeatureSet() = default;
  // Strictly ascending.
  explicit FeatureSet(std::vector<Index> indices) : indices_(std::move(indices)) {}
  // What the rows use. `row_of(example)` is the SparseRow of each.
  template <class Examples, class RowOf>
  static FeatureSet of(const Examples& examples, RowOf row_of);

  std::size_t size() const { return indices_.size(); }
  const std::vector<Index>& indices() const { return indices_; }

  Index find(Index index) const {
    if (indices_.empty() || index < indices_.front()) return kNone;
    const std::size_t guess = index - indices_.front();  // right where nothing is left out before it
    if (guess < size() && indices_[guess] == index) return static_cast<Index>(guess);
    const auto found = std::ranges::lower_bound(indices_, index);
    return found != indices_.end() && *found == index ? static_cast<Index>(found - indices_.begin()) : kNone;
  }

  // Renumbers a row and drops what is not in the set; returns how many entries that were.
  std::size_t renumber(SparseRow& row) const {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < row.index.size(); ++k) {
      const Index feature = find(row.index[k]);
      if (feature == kNone) continue;
      row.index[kept] = feature;
      row.value[kept++] = row.value[k];
    }
    const std::size_t dropped = row.index.size() - kept;
    row.index.resize(kept);
    row.value.resize(kept);
    return dropped;
  }

 private:
  std::vector<Index> indices_;
};

template <class Examples, class RowOf>
FeatureSet FeatureSet::of(const Examples& examples, RowOf row_of) {
  std::size_t entries = 0;
  Index largest = 0;
  for (const auto& example : examples) {
    const SparseRow& row = row_of(example);
    entries += row.index.size();
    if (!row.index.empty()) largest = std::max(largest, row.index.back());
  }
  std::vector<Index> indices;
  if (largest / 64 <= entries) {  // a table of flags is no larger than the data
    std::vector<char> used(std::size_t{largest} + 1, 0);
    for (const auto& example : examples)
      for (Index i : row_of(example).index) used[i] = 1;
    for (std::size_t i = 0; i < used.size(); ++i)
      if (used[i]) indices.push_back(static_cast<Index>(i));
  } else {
    indices.reserve(entries);
    for (const auto& example : examples) {
      const auto& row = row_of(example).index;
      indices.insert(indices.end(), row.begin(), row.end());
    }
    std::ranges::sort(indices);
    indices.erase(std::ranges::unique(indices).begin(), indices.end());
    indices.shrink_to_fit();
  }
  return FeatureSet(std::move(indices));
}

}  // namespace hinge
