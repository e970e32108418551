// States that share weights: the score of a state is the sum of those of its components,
//
//     z_s = Σ over c in path(s) of z_c,        <slope_s, slope_t> = |path(s) ∩ path(t)| <x, x>,
//
// as that of a class is the sum over all that stands above it, itself included. A state whose path is empty is scored 0.
#pragma once

#include <algorithm>
#include <cassert>
#include <numeric>

#include "hinge/core/vector.h"

namespace hinge {

class StatePaths {
 public:
  // Each path ascends. No two end with the same component, and at most one is empty.
  StatePaths(std::size_t components, const std::vector<std::vector<Index>>& paths)
      : components_(components), begin_{0}, from_below_(paths.size()) {
    for (const std::vector<Index>& path : paths) {
      assert(std::ranges::is_sorted(path, std::ranges::less_equal()));
      component_.insert(component_.end(), path.begin(), path.end());
      begin_.push_back(static_cast<Index>(component_.size()));
    }
    std::vector<Index> sorted = component_;
    std::ranges::sort(sorted);
    apart_ = std::ranges::adjacent_find(sorted) == sorted.end();
    std::iota(from_below_.begin(), from_below_.end(), Index{0});
    std::ranges::sort(from_below_, std::greater<>(),
                      [&](Index s) { return of(s).empty() ? 0 : std::size_t{of(s).back()} + 1; });
  }

  std::size_t states() const { return from_below_.size(); }
  std::size_t components() const { return components_; }
  std::span<const Index> of(Index s) const {
    return {component_.data() + begin_[s], begin_[s + 1] - begin_[s]};
  }
  // |path(s) ∩ path(t)|
  double shared(Index s, Index t) const {
    const std::span<const Index> a = of(s), b = of(t);
    double count = 0;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
      if (a[i] == b[j]) ++count;
      const bool next = a[i] <= b[j];
      j += a[i] >= b[j];
      i += next;
    }
    return count;
  }
  // Whether each component is in the path of one state at most.
  bool apart() const { return apart_; }
  // Amounts of states from the sums that their components have of them, where all amounts together are 0.
  void amounts(std::span<const double> sums, Vector& out) const {
    Vector left(sums.begin(), sums.end());
    out.assign(states(), 0.0);
    double rest = 0;
    for (const Index s : from_below_) {
      const std::span<const Index> path = of(s);
      out[s] = path.empty() ? rest : left[path.back()];
      rest -= out[s];
      for (const Index c : path) left[c] -= out[s];
    }
  }

 private:
  std::size_t components_;
  bool apart_;
  std::vector<Index> begin_, component_;
  std::vector<Index> from_below_;  // states by what their paths end with, the last component first
};

}  // namespace hinge
