// The slopes of a block's planes, packed one behind the other: what cached passes stream through, so every
// byte counts. A slope has places in a row, of two bytes where they suffice, and values as whole numbers of one byte
// while that loses nothing (features are mostly small whole numbers), as float while that does not, as double after
// that.
//
//     <slope_p, w> = Σ_k value[k] · row[place[k]]
//
// Where there are no more weights than two bytes can name, the row is w itself. Where there are more, the block lists
// the weights that any of its slopes has, once: row[l] = w[list[l]] is gathered for all its slopes, and a sum of slopes
// is a row as long as the list.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hinge/core/snapshot.h"

namespace hinge {

class PackedSlopes {
 public:
  // Of weights with numbers below this, places are those numbers.
  static constexpr std::size_t kNear = std::size_t{1} << 16;

  explicit PackedSlopes(std::size_t weights) : listed_(weights > kNear) {}

  bool listed() const { return listed_; }
  std::size_t count() const { return start_.size() - 1; }
  std::size_t size() const { return start_.back(); }  // entries in all
  std::size_t size(std::size_t p) const { return start_[p + 1] - start_[p]; }
  const std::vector<Index>& list() const { return list_; }  // empty where none is made

  void append(const SparseVector& slope);
  bool equals(std::size_t p, const SparseVector& slope) const;
  void copy(std::size_t p, SparseVector& out) const;
  // Keeps the given ones, in ascending order.
  void keep(const std::vector<std::size_t>& kept);
  void keep(Snapshot& snapshot) {
    snapshot(listed_, start_, list_, order_, near_, far_, whole_, narrow_, wide_);
  }

  // The row of w, which may be w itself or stand in `room`.
  const double* row(const double* w, Vector& room) const;
  // out[p] = <slope_p, w> for all of them, from w's row
  void dots(const double* row, double* out) const;
  double dot(std::size_t p, const double* row) const;
  // row += factor · slope_p
  void add(std::size_t p, double factor, double* row) const;
  // f(place, index, value) for every entry of slope p
  template <class F>
  void for_each_place(std::size_t p, F&& f) const {
    for (std::size_t k = start_[p]; k < start_[p + 1]; ++k) f(place(k), index(k), value(k));
  }
  // f(index, value) for every entry of slope p
  template <class F>
  void for_each(std::size_t p, F&& f) const {
    for (std::size_t k = start_[p]; k < start_[p + 1]; ++k) f(index(k), value(k));
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
  Index index(std::size_t k) const { return listed_ ? list_[place(k)] : near_[k]; }
  std::size_t place(std::size_t k) const { return far_.empty() ? near_[k] : far_[k]; }
  double value(std::size_t k) const {
    return !wide_.empty() ? wide_[k] : !narrow_.empty() ? static_cast<double>(narrow_[k]) : whole_[k];
  }
  Entries entries() const;
  void append_values(std::span<const double> values);
  void append_places(std::span<const Index> indices);
  void list_new(const std::vector<Index>& indices);
  void drop_unused();

  bool listed_;
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
