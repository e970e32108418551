// Which pairs of a row and a column have a weight, and where. With all pairs,
//
//     index(row, column) = row · columns + column;
//
// with observed pairs only, a row has a short ascending list of columns: memory by what the data holds, however
// many columns there are.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "hinge/core/vector.h"

namespace hinge {

class PairIndex {
 public:
  PairIndex() = default;
  PairIndex(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns) {}
  // `first` has where each row begins among `column`, and the end; empty: all pairs.
  PairIndex(std::size_t rows, std::size_t columns, std::vector<Index> first, std::vector<Index> column)
      : rows_(rows), columns_(columns), first_(std::move(first)), column_(std::move(column)) {}

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  bool dense() const { return first_.empty(); }
  std::size_t size() const { return dense() ? rows_ * columns_ : column_.size(); }
  // Whether every row's columns ascend and are below `columns`, and first_ fits.
  bool sound() const;
  // The row and column of a weight.
  std::pair<Index, Index> pair(Index weight) const;

  // Where all pairs have a weight: that of (row, 0).
  Index row(Index r) const { return static_cast<Index>(r * columns_); }
  // Where not: the weights of a row, and the column of one.
  Index begin(Index r) const { return first_[r]; }
  Index end(Index r) const { return first_[r + 1]; }
  Index column(Index weight) const { return column_[weight]; }
  std::span<const Index> columns_of(Index r) const { return {column_.data() + begin(r), end(r) - begin(r)}; }

  const std::vector<Index>& all_first() const { return first_; }
  const std::vector<Index>& all_columns() const { return column_; }

 private:
  std::size_t rows_ = 0, columns_ = 0;
  std::vector<Index> first_, column_;
};

}  // namespace hinge
