// The slopes of a block's planes, packed one behind the other: what cached passes stream through, so every
// byte counts. Values are kept as float while that loses nothing (features are mostly small whole numbers),
// as double after that.
#pragma once

#include <vector>

#include "hinge/core/kernels.h"
#include "hinge/core/snapshot.h"

namespace hinge {

class PackedSlopes {
 public:
  std::size_t count() const { return start_.size() - 1; }
  std::size_t size() const { return index_.size(); }  // entries in all
  std::size_t size(std::size_t p) const { return start_[p + 1] - start_[p]; }

  void append(const SparseVector& slope);
  bool equals(std::size_t p, const SparseVector& slope) const;
  void copy(std::size_t p, SparseVector& out) const;
  // Room for as many as another has, and as many entries more.
  void reserve_as(const PackedSlopes& other, std::size_t more);
  // Keeps the given ones, in ascending order.
  void keep(const std::vector<std::size_t>& kept);
  void keep(Snapshot& snapshot) { snapshot(start_, index_, narrow_, wide_); }

  double dot(std::size_t p, const double* w) const {
    const std::size_t first = start_[p];
    return wide_.empty() ? kernels::sparse_dot(index_.data() + first, narrow_.data() + first, size(p), w)
                         : kernels::sparse_dot(index_.data() + first, wide_.data() + first, size(p), w);
  }
  // f(index, value) for every entry of slope p
  template <class F>
  void for_each(std::size_t p, F&& f) const {
    for (std::size_t k = start_[p]; k < start_[p + 1]; ++k) f(index_[k], value(k));
  }

 private:
  double value(std::size_t k) const { return wide_.empty() ? static_cast<double>(narrow_[k]) : wide_[k]; }

  std::vector<std::size_t> start_ = {0};
  std::vector<Index> index_;
  std::vector<float> narrow_;  // one of these two is empty
  std::vector<double> wide_;
};

}  // namespace hinge
