// The Hamming loss of a labelling: Σ over positions t with a known label of cost(y_t) [y_t ≠ y'_t], as a
// count or divided by the number of known labels.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hinge/core/string_table.h"
#include "hinge/tasks/labels.h"

namespace hinge {

struct Hamming {
  bool normalised = false;
  std::vector<double> label_cost = {};  // of an error on each true label; empty means 1

  // From items LABEL:COST of --label-costs.
  static Hamming make(bool normalised, const std::vector<std::string>& label_costs,
                      const StringTable& labels);

  double unit(const Labels& y) const {
    if (!normalised) return 1;
    const auto known = y.size() - static_cast<std::size_t>(std::ranges::count(y, kUnknown));
    return known == 0 ? 1 : 1 / static_cast<double>(known);
  }
  double cost(int label) const {
    return label_cost.empty() || label < 0 ? 1.0 : label_cost[static_cast<std::size_t>(label)];
  }

  // A label that training had not seen (below kUnknown) is always an error.
  double operator()(const Labels& y, const std::vector<int>& answer) const {
    double sum = 0;
    for (std::size_t t = 0; t < y.size(); ++t)
      if (y[t] != kUnknown && y[t] != answer[t]) sum += cost(y[t]);
    return sum * unit(y);
  }

  // row(t)[k] += weight · what label k at position t adds to the loss; row(t) is a span.
  template <class Row>
  void add(const Labels& y, double weight, Row&& row) const {
    const double each = weight * unit(y);
    for (std::size_t t = 0; t < y.size(); ++t) {
      if (y[t] == kUnknown) continue;
      const std::span<double> out = row(t);
      const double amount = each * cost(y[t]);
      for (double& value : out) value += amount;
      if (y[t] >= 0) out[static_cast<std::size_t>(y[t])] -= amount;
    }
  }
};

}  // namespace hinge
