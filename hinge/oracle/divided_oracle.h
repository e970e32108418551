// The same objective with more examples. Where the excess of an example is a sum of independent ones,
//
//     excess_i = Σ_k term_ik,      term_ik = max over the few planes that the task lists,
//
// each term is an example of its own, with the weight c_i N / n of N terms of n examples, so that
//
//     C/n Σ_i c_i excess_i = C/N Σ_i Σ_k (c_i N / n) term_ik
//
// and a solver that goes through examples learns from every term at once (Oracle::divided).
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "hinge/oracle/oracle.h"
#include "hinge/oracle/task.h"

namespace hinge {

template <class T>
class DividedOracle final : public Oracle {
 public:
  // The task lists all terms of all examples under the query.
  DividedOracle(const T& task, std::span<const Example<T>> examples, const Query& query)
      : task_(task), examples_(examples), query_(query), begin_{0} {
    for (const Example<T>& example : examples_) begin_.push_back(begin_.back() + task_.terms(example.input));
  }

  Index dimension() const override { return task_.dimension(); }
  std::size_t size() const override { return begin_.back(); }
  double weight(std::size_t t) const override {
    return examples_[owner(t)].weight * static_cast<double>(size()) / static_cast<double>(examples_.size());
  }
  double work(std::size_t t) const override {
    ProductPlanes& planes = scratch<ProductPlanes, struct DividedOracleWork>();
    all_planes(t, query_, planes);
    return 2 * static_cast<double>(planes.row.size());
  }
  bool determined(std::size_t) const override { return true; }
  std::string refusal(const Query& query) const override {
    return query.hard() && query.side == Side::excess && query.rescaling == Rescaling::margin
               ? ""
               : "terms of examples have maxima of excesses alone.";
  }
  bool all_planes(std::size_t t, const Query& query, ProductPlanes& out) const override {
    const std::size_t i = owner(t);
    if (query.side != Side::excess || !task_.has_terms(query)) return false;
    task_.term_planes(examples_[i].input, examples_[i].label, t - begin_[i], query, out);
    return true;
  }
  void support(std::size_t t, Weights w, const Query& query, Plane& out) const override {
    ProductPlanes& planes = scratch<ProductPlanes, struct DividedOraclePlanes>();
    all_planes(t, query, planes);
    out.clear();
    Vector& values = scratch<Vector, struct DividedOracleValues>();
    plane_values(planes, w, values);
    const auto best = static_cast<Index>(std::ranges::max_element(values) - values.begin());
    out.offset = planes.offset[best];
    const auto pour = [&](Index state, double factor) {
      for_each_component(planes, state, [&](Index c) {
        for (std::size_t k = 0; k < planes.row.size(); ++k)
          out.slope.add(static_cast<Index>(planes.row[k] * planes.components() + c),
                        factor * static_cast<double>(planes.value[k]));
      });
    };
    pour(best, planes.factor[best]);
    pour(planes.reference, -planes.factor[best]);
    out.slope.compress();
  }

 private:
  std::size_t owner(std::size_t t) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(begin_, t) - begin_.begin()) - 1;
  }
  const T& task_;
  std::span<const Example<T>> examples_;
  Query query_;
  std::vector<std::size_t> begin_;  // of each example's terms
};

}  // namespace hinge
