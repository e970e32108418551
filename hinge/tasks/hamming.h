// The Hamming loss of a labelling: Σ over positions t with a known label of cost(y_t) [y_t ≠ y'_t], as a
// count or divided by the number of known labels. Where one of several labels is known, all but these cost what
// the cheapest error on one of them does. With several states a label, an answer consists of states, and state s
// is one of label s / states.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hinge/core/smooth_max.h"
#include "hinge/core/string_table.h"
#include "hinge/tasks/labels.h"

namespace hinge {

struct Hamming {
  bool normalised = false;
  std::vector<double> label_cost = {};  // of an error on each true label; empty means 1

  int states = 1;

  // From items LABEL:COST of --label-costs.
  static Hamming make(bool normalised, const std::vector<std::string>& label_costs,
                      const StringTable& labels);

  double unit(const Labels& y) const {
    if (!normalised) return 1;
    const auto known = y.size() + y.one_of.size() - static_cast<std::size_t>(std::ranges::count(y, kUnknown));
    return known == 0 ? 1 : 1 / static_cast<double>(known);
  }
  double cost(int label) const {
    return label_cost.empty() || label < 0 ? 1.0 : label_cost[static_cast<std::size_t>(label)];
  }

  double cost(const OneOf& some) const {
    double least = cost(some.labels[0]);
    for (const int label : some.labels) least = std::min(least, cost(label));
    return least;
  }

  // A label that training had not seen (below kUnknown) is always an error.
  double operator()(const Labels& y, const std::vector<int>& answer) const {
    double sum = 0;
    for (std::size_t t = 0; t < y.size(); ++t)
      if (y[t] != kUnknown && y[t] != answer[t] / states) sum += cost(y[t]);
    for (const OneOf& some : y.one_of)
      if (!some.admits(answer[some.position] / states)) sum += cost(some);
    return sum * unit(y);
  }

  // row(t)[s] += weight · what state s at position t adds to the loss; row(t) is a span.
  template <class Row>
  void add(const Labels& y, double weight, Row&& row) const {
    const double each = weight * unit(y);
    for (std::size_t t = 0; t < y.size(); ++t) {
      if (y[t] == kUnknown) continue;
      const std::span<double> out = row(t);
      const double amount = each * cost(y[t]);
      for (double& value : out) value += amount;
      if (y[t] < 0) continue;
      for (double& value : own(y[t], out)) value -= amount;
    }
    for (const OneOf& some : y.one_of) {
      const std::span<double> out = row(some.position);
      const double amount = each * cost(some);
      for (double& value : out) value += amount;
      for (const int label : some.labels)
        for (double& value : own(label, out)) value -= amount;
    }
  }

  // −∞ on the states of labels that y does not admit; row(t) is a span.
  template <class Row>
  void forbid_others(const Labels& y, Row&& row) const {
    for (std::size_t t = 0; t < y.size(); ++t) forbid_others(y[t], row(t));
    forbid_outside_sets(y, row);
  }
  // The same where one of several is known; other positions are left as they are.
  template <class Row>
  void forbid_outside_sets(const Labels& y, Row&& row) const {
    for (const OneOf& some : y.one_of) {
      const std::span<double> out = row(some.position);
      for (std::size_t s = 0; s < out.size(); ++s)
        if (!some.admits(static_cast<int>(s) / states)) out[s] = kForbidden;
    }
  }

 private:
  // −∞ on the states of labels that differ from a known one.
  void forbid_others(int known, std::span<double> row) const {
    if (known < 0) return;
    const std::span<double> kept = own(known, row);
    std::fill(row.begin(), row.begin() + (kept.begin() - row.begin()), kForbidden);
    std::fill(row.begin() + (kept.end() - row.begin()), row.end(), kForbidden);
  }

  // The states of a label.
  std::span<double> own(int label, std::span<double> row) const {
    const auto each = static_cast<std::size_t>(states);
    return row.subspan(static_cast<std::size_t>(label) * each, each);
  }
};

}  // namespace hinge
