// The same objective with more examples. Where the excess of an example is a sum of independent ones,
//
//     excess_i = Σ_k term_ik,      term_ik = T_τ over the few planes that the task lists,
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

#include "hinge/core/smooth_max.h"
#include "hinge/oracle/oracle.h"
#include "hinge/oracle/task.h"
#include "hinge/oracle/term_parts.h"

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
    list(t, query_, planes);
    return 2 * static_cast<double>(planes.row.size());
  }
  bool determined(std::size_t) const override { return true; }
  std::string refusal(const Query& query) const override {
    const bool one_temperature = query.output_temperature == query.latent_temperature;
    return one_temperature && query.side == Side::excess && query.rescaling == Rescaling::margin
               ? ""
               : "terms of examples have excesses at one temperature alone.";
  }
  bool all_planes(std::size_t t, const Query& query, ProductPlanes& out) const override {
    if (query.side != Side::excess || !query.hard() || !task_.has_terms(query)) return false;
    list(t, query, out);
    return true;
  }
  std::unique_ptr<Parts> parts(const Query& query) const override {
    const bool soft = query.side == Side::free && query.output_temperature > 0 &&
                      query.output_temperature == query.latent_temperature;
    if (soft && task_.has_terms(query)) return std::make_unique<TermParts>(*this, query);
    return nullptr;
  }
  void support(std::size_t t, Weights w, const Query& query, Plane& out) const override {
    ProductPlanes& planes = scratch<ProductPlanes, struct DividedOraclePlanes>();
    list(t, query, planes);
    Vector& values = scratch<Vector, struct DividedOracleValues>();
    Vector& share = scratch<Vector, struct DividedOracleShares>();
    plane_values(planes, w, values);
    share.resize(values.size());
    out.clear();
    out.offset = smooth_max(values, query.output_temperature, share);
    double reference = 0;
    for (Index s = 0; s < values.size(); ++s) {
      out.offset -= share[s] * (values[s] - planes.offset[s]);
      const double amount = share[s] * planes.factor[s];
      if (amount != 0) pour_state(planes, s, amount, out.slope);
      reference += amount;
    }
    if (reference != 0) pour_state(planes, planes.reference, -reference, out.slope);
    out.slope.compress();
  }

 private:
  std::size_t owner(std::size_t t) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(begin_, t) - begin_.begin()) - 1;
  }
  void list(std::size_t t, const Query& query, ProductPlanes& out) const {
    const std::size_t i = owner(t);
    task_.term_planes(examples_[i].input, examples_[i].label, t - begin_[i], query, out);
  }

  const T& task_;
  std::span<const Example<T>> examples_;
  Query query_;
  std::vector<std::size_t> begin_;  // of each example's terms
};

}  // namespace hinge
