#include "hinge/tasks/pair_index.h"

#include <algorithm>
#include <functional>

namespace hinge {

bool PairIndex::sound() const {
  if (dense()) return column_.empty();
  if (first_.size() != rows_ + 1 || first_.front() != 0 || first_.back() != column_.size() ||
      !std::ranges::is_sorted(first_))
    return false;
  for (std::size_t r = 0; r < rows_; ++r) {
    const std::span<const Index> own = columns_of(static_cast<Index>(r));
    if (!std::ranges::is_sorted(own, std::ranges::less_equal()) || (!own.empty() && own.back() >= columns_))
      return false;
  }
  return true;
}

std::pair<Index, Index> PairIndex::pair(Index weight) const {
  if (dense()) return {static_cast<Index>(weight / columns_), static_cast<Index>(weight % columns_)};
  const auto after = std::ranges::upper_bound(first_, weight);
  return {static_cast<Index>(after - first_.begin() - 1), column_[weight]};
}

}  // namespace hinge
