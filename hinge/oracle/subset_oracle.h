// Some examples of another oracle, in the order given: those with complete labels, say. The other oracle is
// not owned and must outlive this one.
#pragma once

#include <cassert>
#include <vector>

#include "hinge/oracle/oracle.h"

namespace hinge {

class SubsetOracle final : public Oracle {
 public:
  SubsetOracle(const Oracle& all, std::vector<std::size_t> examples)
      : all_(all), examples_(std::move(examples)) {
    for ([[maybe_unused]] std::size_t i : examples_) assert(i < all.size());
  }
  SubsetOracle(const Oracle&&, std::vector<std::size_t>) = delete;

  Index dimension() const override { return all_.dimension(); }
  std::vector<Index> nonnegative() const override { return all_.nonnegative(); }
  Vector centre() const override { return all_.centre(); }
  std::size_t size() const override { return examples_.size(); }
  double weight(std::size_t k) const override { return all_.weight(examples_[k]); }
  bool determined(std::size_t k) const override { return all_.determined(examples_[k]); }
  bool may_be_negative(std::size_t k) const override { return all_.may_be_negative(examples_[k]); }
  bool smooth() const override { return all_.smooth(); }
  double work(std::size_t k) const override { return all_.work(examples_[k]); }
  std::string refusal(const Query& query) const override { return all_.refusal(query); }
  InferenceReport inference() const override { return all_.inference(); }
  bool may_approximate(std::size_t k, const Query& query) const override {
    return all_.may_approximate(examples_[k], query);
  }
  void support(std::size_t k, Weights w, const Query& query, Plane& out) const override {
    all_.support(examples_[k], w, query, out);
  }
  bool all_planes(std::size_t k, const Query& query, ProductPlanes& out) const override {
    return all_.all_planes(examples_[k], query, out);
  }
  double add_support(std::size_t k, Weights w, const Query& query, double factor,
                     std::span<double> slope) const override {
    return all_.add_support(examples_[k], w, query, factor, slope);
  }
  Vector start(std::span<const std::size_t> some, std::size_t attempt) const override {
    if (some.empty()) return all_.start(examples_, attempt);
    std::vector<std::size_t> chosen;
    for (std::size_t k : some) chosen.push_back(examples_[k]);
    return all_.start(chosen, attempt);
  }
  bool draw(std::size_t k, std::uint64_t seed, Plane& out) const override {
    return all_.draw(examples_[k], seed, out);
  }
  std::unique_ptr<Parts> parts(const Query& query) const override { return some(all_.parts(query)); }
  std::unique_ptr<SingleParts> single_parts(const Query& query) const override {
    return some(all_.single_parts(query));
  }
  std::optional<Widening> widened(Executor& executor) const override {
    auto all = all_.widened(executor);
    if (!all) return std::nullopt;
    struct Owned {
      std::shared_ptr<const Oracle> all;
      SubsetOracle subset;
    };
    const auto owned = std::make_shared<const Owned>(all->oracle, SubsetOracle(*all->oracle, examples_));
    return Widening{{owned, &owned->subset}, std::move(all->places)};
  }

 private:
  template <class Real>
  class Some final : public PartsOf<Real> {
   public:
    Some(std::unique_ptr<PartsOf<Real>> all, std::span<const std::size_t> examples)
        : all_(std::move(all)), examples_(examples) {}
    std::span<const Real> look(std::size_t k, std::span<const Real> w) override {
      return all_->look(examples_[k], w);
    }
    std::size_t turn(std::size_t k, std::span<const Real> w) override { return all_->turn(examples_[k], w); }
    void place(std::span<const Real> counts, double factor, std::span<Real> w, const Real* share) override {
      all_->place(counts, factor, w, share);
    }
    double excess(std::size_t k, std::span<const Real> w) override { return all_->excess(examples_[k], w); }
    double first(double factor, const Real* share, std::span<Real> theta) override {
      return all_->first(factor, share, theta);
    }
    SoftValue solve(std::span<const Real> theta, std::span<Real> counts) override {
      return all_->solve(theta, counts);
    }
    double loss(std::span<const Real> counts) const override { return all_->loss(counts); }
    double clamped(std::span<const Real> w, std::span<Real> counts) override {
      return all_->clamped(w, counts);
    }
    double pour(std::span<const Real> counts, double factor, std::span<Real> w, const Real* share) override {
      return all_->pour(counts, factor, w, share);
    }

   private:
    std::unique_ptr<PartsOf<Real>> all_;
    std::span<const std::size_t> examples_;
  };
  template <class Real>
  std::unique_ptr<PartsOf<Real>> some(std::unique_ptr<PartsOf<Real>> all) const {
    return all ? std::make_unique<Some<Real>>(std::move(all), examples_) : nullptr;
  }

  const Oracle& all_;
  std::vector<std::size_t> examples_;
};

}  // namespace hinge
