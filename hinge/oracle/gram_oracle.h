// Examples whose inputs are known by their products alone,
//
//     k_ij = <φ(x_i), φ(x_j)>,
//
// and never by features φ. The planes of each are all listed (core/product_planes.h), without a row: that would be
// φ(x_i). Weights are amounts of the inputs in each of the S states,
//
//     w_s = Σ_j w[j S + s] φ(x_j),      z_s(x_i) = Σ_j k_ij w[j S + s],      Ω(w) = 1/2 Σ_s Σ_ij w[i S + s] k_ij w[j S + s],
//
// which is another Ω than that of solvers which take weights for those of features: they refuse (solvers/solver.cpp), and
// `gram` alone serves. Rows of k are made where they are asked for, and kept while there is room.
#pragma once

#include <functional>
#include <list>
#include <mutex>
#include <unordered_map>

#include "hinge/oracle/forwarding_oracle.h"

namespace hinge {

class GramOracle final : public ForwardingOracle {
 public:
  using Row = std::shared_ptr<const std::vector<float>>;
  // Writes k_ij for all j; the same numbers each time, from several threads at once.
  using Fill = std::function<void(std::size_t i, std::span<float> out)>;

  // `behind` lists all planes. `own` are the k_ii. Rows take at most `bytes`, but for those in use.
  GramOracle(const Oracle& behind, Vector own, Fill fill, std::size_t bytes)
      : ForwardingOracle(behind),
        own_(std::move(own)),
        fill_(std::move(fill)),
        room_(std::max<std::size_t>(1, bytes / (sizeof(float) * std::max<std::size_t>(1, own_.size())))) {
    for (std::size_t i = 0; i < size() && complete_; ++i) complete_ = determined(i);
  }

  double squared_norm(std::size_t i) const { return own_[i]; }  // k_ii
  Row row(std::size_t i) const;
  std::size_t rows_made() const { return made_; }  // so far

  bool all_planes(std::size_t i, const Query& query, ProductPlanes& out) const override {
    return behind_.all_planes(i, query, out);
  }
  std::string refusal(const Query& query) const override {
    if (!complete_)
      return "a kernel without a map needs complete labels: use `kernel_map` greedy, or complete or remove "
             "the examples that have none.";
    if (!query.hard())
      return "a kernel without a map serves maxima, not sums: use `kernel_map` greedy, or the method ssvm.";
    return behind_.refusal(query);
  }

 private:
  struct Kept {
    Row row;
    std::list<std::size_t>::iterator turn;
  };

  Vector own_;
  Fill fill_;
  std::size_t room_;  // in rows
  bool complete_ = true;
  mutable std::mutex lock_;
  mutable std::list<std::size_t> turns_;  // the rows that are kept, the one asked for last in front
  mutable std::unordered_map<std::size_t, Kept> kept_;
  mutable std::size_t made_ = 0;
};

inline GramOracle::Row GramOracle::row(std::size_t i) const {
  {
    const std::lock_guard hold(lock_);
    if (const auto found = kept_.find(i); found != kept_.end()) {
      turns_.splice(turns_.begin(), turns_, found->second.turn);
      return found->second.row;
    }
  }
  auto made = std::make_shared<std::vector<float>>(own_.size());
  fill_(i, *made);
  const std::lock_guard hold(lock_);
  ++made_;
  if (kept_.contains(i)) return made;  // another thread was faster
  while (kept_.size() >= room_) {
    kept_.erase(turns_.back());
    turns_.pop_back();
  }
  turns_.push_front(i);
  kept_.emplace(i, Kept{made, turns_.begin()});
  return made;
}

}  // namespace hinge
