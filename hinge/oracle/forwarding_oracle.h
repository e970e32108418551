// An oracle that answers as another does; what decorates one overrides what differs. All planes at once and
// widened layouts are left out: they would go past an override of `support`. The other oracle is not owned.
#pragma once

#include "hinge/oracle/oracle.h"

namespace hinge {

class ForwardingOracle : public Oracle {
 public:
  explicit ForwardingOracle(const Oracle& behind) : behind_(behind) {}
  explicit ForwardingOracle(const Oracle&&) = delete;

  const Oracle& behind() const { return behind_; }
  Index dimension() const override { return behind_.dimension(); }
  std::vector<Index> nonnegative() const override { return behind_.nonnegative(); }
  Vector centre() const override { return behind_.centre(); }
  std::size_t size() const override { return behind_.size(); }
  double weight(std::size_t i) const override { return behind_.weight(i); }
  bool determined(std::size_t i) const override { return behind_.determined(i); }
  bool may_be_negative(std::size_t i) const override { return behind_.may_be_negative(i); }
  bool smooth() const override { return behind_.smooth(); }
  double work(std::size_t i) const override { return behind_.work(i); }
  std::string refusal(const Query& query) const override { return behind_.refusal(query); }
  InferenceReport inference() const override { return behind_.inference(); }
  bool may_approximate(std::size_t i, const Query& query) const override {
    return behind_.may_approximate(i, query);
  }
  void support(std::size_t i, Weights w, const Query& query, Plane& out) const override {
    behind_.support(i, w, query, out);
  }
  double add_support(std::size_t i, Weights w, const Query& query, double factor,
                     std::span<double> slope) const override {
    return behind_.add_support(i, w, query, factor, slope);
  }
  Vector start(std::span<const std::size_t> examples, std::size_t attempt) const override {
    return behind_.start(examples, attempt);
  }
  bool draw(std::size_t i, std::uint64_t seed, Plane& out) const override {
    return behind_.draw(i, seed, out);
  }
  std::unique_ptr<Parts> parts(const Query& query) const override { return behind_.parts(query); }
  std::unique_ptr<SingleParts> single_parts(const Query& query) const override {
    return behind_.single_parts(query);
  }

 protected:
  const Oracle& behind_;
};

}  // namespace hinge
