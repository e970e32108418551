// The slopes of a block's planes, packed one behind the other: what cached passes stream through, so every
// byte counts. The block lists the weights that any of its slopes has, once; a slope has places in that list, of
// two bytes where they suffice, and values as whole numbers of one byte while that loses nothing (features are
// mostly small whole numbers), as float while that does not, as double after that.
//
// So w is gathered once for all slopes of a block, and a sum of slopes is a row as long as the list:
//
//     row[l] = w[list[l]],      <slope_p, w> = Σ_k value[k] · row[place[k]]
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hinge/core/snapshot.h"

namespace hinge {

class PackedSlopes {
 public:
  std::size_t count() const { return start_.size() - 1; }
  std::size_t size() const { return start_.back(); }  // entries in all
  std::size_t size(std::size_t p) const { return start_[p + 1] - start_[p]; }
  const std::vector<Index>& list() const { return list_; }

  void append(const SparseVector& slope);
  bool equals(std::size_t p, const SparseVector& slope) const;
  void copy(std::size_t p, SparseVector& out) const;
  // Keeps the given ones, in ascending order.
  void keep(const std::vector<std::size_t>& kept);
  void keep(Snapshot& snapshot) { snapshot(start_, list_, order_, near_, far_, whole_, narrow_, wide_); }

  void gather(const double* w, Vector& row) const;
  // out[p] = <slope_p, row> for all of them
  void dots(const Vector& row, double* out) const;
  // row += factor · slope_p
  void add(std::size_t p, double factor, Vector& row) const;
  // f(index, value) for every entry of slope p
  template <class F>
  void for_each(std::size_t p, F&& f) const {
    for (std::size_t k = start_[p]; k < start_[p + 1]; ++k) f(list_[place(k)], value(k));
  }

  // How entries are kept, for the inner loops.
  struct Entries {
    const std::uint16_t* near;
    const Index* far;  // null: near is there
    const std::int8_t* whole;
    const float* narrow;
    const double* wide;  // one of the last three is there
  };

 private:
  std::size_t place(std::size_t k) const { return far_.empty() ? near_[k] : far_[k]; }
  double value(std::size_t k) const {
    return !wide_.empty() ? wide_[k] : !narrow_.empty() ? static_cast<double>(narrow_[k]) : whole_[k];
  }
  Entries entries() const;
  void append_values(std::span<const double> values);
  void list_new(const std::vector<Index>& indices);
  void drop_unused();

  std::vector<std::size_t> start_ = {0};
  std::vector<Index> list_;   // as they were met
  std::vector<Index> order_;  // the places of the list, by ascending weight
  std::vector<std::uint16_t> near_;
  std::vector<Index> far_;  // instead, where the list is longer than two bytes can say
  std::vector<std::int8_t> whole_;
  std::vector<float> narrow_;
  std::vector<double> wide_;  // at most one of these three is not empty
};

}  // namespace hinge
