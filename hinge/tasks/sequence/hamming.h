// The Hamming loss of a labelling: Σ over positions with a known label of cost(y_t) [y_t ≠ y'_t], as a count
// or divided by the length.
#pragma once

#include <vector>

#include "hinge/core/smooth_max.h"
#include "hinge/tasks/sequence/sequence.h"

namespace hinge {

struct Hamming {
  bool normalised = false;
  std::vector<double> label_cost;  // of an error on each true label; empty means 1

  double unit(const Labels& y) const {
    return normalised && !y.empty() ? 1.0 / static_cast<double>(y.size()) : 1.0;
  }
  double cost(int label) const {
    return label_cost.empty() || label < 0 ? 1.0 : label_cost[static_cast<std::size_t>(label)];
  }

  // A label that training had not seen (below kUnknown) is always an error.
  double operator()(const Labels& y, const std::vector<int>& path) const {
    double sum = 0;
    for (std::size_t t = 0; t < y.size(); ++t)
      if (y[t] != kUnknown && y[t] != path[t]) sum += cost(y[t]);
    return sum * unit(y);
  }

  // row[k] += weight · what label k at position t adds to the loss
  void add(const Labels& y, std::size_t t, double weight, double* row, std::size_t labels) const {
    if (y[t] == kUnknown) return;
    const double each = weight * unit(y) * cost(y[t]);
    for (std::size_t k = 0; k < labels; ++k) row[k] += each;
    if (y[t] >= 0) row[y[t]] -= each;
  }
};

inline bool fully_known(const Labels& y) {
  for (int label : y)
    if (label < 0) return false;
  return true;
}

// −∞ on the labels that differ from a known one.
inline void forbid_others(int known, double* row, std::size_t labels) {
  if (known < 0) return;
  for (std::size_t k = 0; k < labels; ++k)
    if (static_cast<int>(k) != known) row[k] = kForbidden;
}

}  // namespace hinge
