// Rows 0 … m that a sweep makes one after the other, and reads again from the last to the first: all of them, or, where
// they have more than so many cells, the rows of one block and what leads from each block to the next, so that the rows of
// a block can be made again. Memory O(√m) rows then.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "hinge/core/aligned_vector.h"

namespace hinge {

class PairRoom {
 public:
  static std::size_t root(std::size_t rows) {
    return std::max<std::size_t>(2,
                                 static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(rows)))));
  }

  // Rows of `size` numbers, of which the next row needs the first `leading`.
  void shape(std::size_t rows, std::size_t size, std::size_t leading, bool all) {
    rows_ = rows;
    size_ = size;
    leading_ = leading;
    block_size_ = all ? rows : root(rows);
    first_ = 0;
    block_.resize(block_size_ * size_);
    kept_.resize(((rows - 1) / block_size_) * leading_);
  }

  bool has(std::size_t i) const { return i >= first_ && i < first_ + block_size_; }
  double* row(std::size_t i) { return block_.data() + (i - first_) * size_; }
  const double* row(std::size_t i) const { return block_.data() + (i - first_) * size_; }
  // Row i, or its leading numbers where it ends the block before.
  double* leading(std::size_t i) {
    return i + 1 == first_ ? kept_.data() + i / block_size_ * leading_ : row(i);
  }
  bool ends_before(std::size_t i) const { return i + 1 == first_; }

  void restart() { first_ = 0; }
  // Row i is there, row i + 1 is to be made.
  void pass(std::size_t i) {
    if ((i + 1) % block_size_ != 0) return;
    std::copy_n(row(i), leading_, kept_.data() + i / block_size_ * leading_);
    first_ = i + 1;
  }
  // Makes the rows of the block of row i again: begin() makes row 0, advance(k) row k + 1, finish(k) what row k needs
  // besides where the row behind it is not made.
  template <class Begin, class Advance, class Finish>
  void load(std::size_t i, Begin&& begin, Advance&& advance, Finish&& finish) {
    first_ = i / block_size_ * block_size_;
    const std::size_t end = std::min(first_ + block_size_, rows_);
    if (first_ == 0)
      begin();
    else
      advance(first_ - 1);
    for (std::size_t k = first_; k + 1 < end; ++k) advance(k);
    if (end < rows_) finish(end - 1);
  }

 private:
  std::size_t rows_ = 0, size_ = 0, leading_ = 0, block_size_ = 0, first_ = 0;
  AlignedVector block_, kept_;
};

}  // namespace hinge
