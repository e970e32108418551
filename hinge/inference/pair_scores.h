// Scores of the pairs of n items; a set of links between them scores
//
//     constant + Σ over links (i, j) of value(i, j).
//
// The pairs of an item with all earlier ones stand in a row: (0, 1), (0, 2), (1, 2), (0, 3), ...
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "hinge/core/smooth_max.h"
#include "hinge/inference/partition.h"

namespace hinge {

// Where the row of item j begins; and so the number of pairs of j items.
inline std::size_t first_pair(std::size_t j) { return j * (j - (j > 0)) / 2; }

struct ItemLink {
  Index first, second;  // the earlier item and the later one
  friend bool operator==(const ItemLink&, const ItemLink&) = default;
};

class PairScores {
 public:
  // Values are left for the caller to set.
  void shape(std::size_t items) {
    items_ = items;
    value_.resize(first_pair(items));
    constant = 0;
    only = nullptr;
  }
  std::size_t items() const { return items_; }
  std::span<double> values() { return value_; }
  std::span<const double> values() const { return value_; }
  // value(i, j) of all i < j.
  const double* row(std::size_t j) const { return value_.data() + first_pair(j); }
  double* row(std::size_t j) { return value_.data() + first_pair(j); }
  double value(const ItemLink& link) const { return row(link.second)[link.first]; }

  // The constant, then the pairs.
  std::size_t parts() const { return 1 + value_.size(); }
  void get(std::span<double> out) const {
    out[0] = constant;
    std::ranges::copy(value_, out.begin() + 1);
  }
  void set(std::span<const double> in) {
    constant = in[0];
    std::ranges::copy(in.subspan(1), value_.begin());
  }

  double constant = 0;
  const Partition* only =
      nullptr;  // where it is set, every structure is forbidden but those of this partition

 private:
  std::size_t items_ = 0;
  Vector value_;
};

}  // namespace hinge
