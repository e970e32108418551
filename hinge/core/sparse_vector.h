// A sparse vector: indices in ascending order, each at most once, beside their values.
//
// It is filled in any order with `add` and brought into order once with `compress`, which merges the
// ascending runs it finds (features arrive as a few sorted runs, so this is much cheaper than sorting), or sums
// at the place of each index where there are at most 64 places for each entry.
// Storage is kept by `clear`.
#pragma once

#include <utility>
#include <vector>

#include "hinge/core/vector.h"

namespace hinge {

class SparseVector {
 public:
  void clear() {
    indices_.clear();
    values_.clear();
  }
  void add(Index index, double value) {
    indices_.push_back(index);
    values_.push_back(value);
  }
  // Orders the indices, sums the values of equal ones and drops zeros.
  void compress();

  std::size_t size() const { return indices_.size(); }
  bool empty() const { return indices_.empty(); }
  std::span<const Index> indices() const { return indices_; }
  std::span<const double> values() const { return values_; }
  std::size_t bytes() const {
    return indices_.capacity() * sizeof(Index) + values_.capacity() * sizeof(double);
  }
  void shrink();

  void scale(double factor) {
    for (double& v : values_) v *= factor;
  }

  double dot(Weights w) const {
    double sum = 0;
    for (std::size_t k = 0; k < indices_.size(); ++k) sum += values_[k] * w[indices_[k]];
    return sum;
  }
  // <this, other>; both compressed.
  double dot(const SparseVector& other) const;
  // Σ_k this_k other_k d_k, where an empty `diagonal` means ones.
  double dot(const SparseVector& other, Weights diagonal) const;

  // w += factor · this
  void add_to(std::span<double> w, double factor) const {
    for (std::size_t k = 0; k < indices_.size(); ++k) w[indices_[k]] += factor * values_[k];
  }

  friend bool operator==(const SparseVector&, const SparseVector&) = default;

 private:
  void compress_by_places(std::size_t words);

  std::vector<Index> indices_;
  std::vector<double> values_;
};

// target = a + factor · b; a and b compressed, target distinct from both.
void combine(const SparseVector& a, double factor, const SparseVector& b, SparseVector& target);

}  // namespace hinge
