// Examples whose inputs are rows known by their products alone,
//
//     k_ij = <φ(x_i), φ(x_j)>,
//
// and never by features φ. Weights are amounts of the rows in each of S components,
//
//     w_c = Σ_j w[j S + c] φ(x_j),      z_c(x_i) = Σ_j k_ij w[j S + c],      Ω(w) = 1/2 Σ_c Σ_ij w[i S + c] k_ij w[j S + c],
//
// which is another Ω than that of solvers which take weights for those of features: they refuse (solvers/solver.cpp), and
// `gram` alone serves. What is lost, as a function of the scores z, is told by RowPlanes. Rows of k are made where they are
// asked for, and kept while there is room.
#pragma once

#include <functional>
#include <list>
#include <mutex>
#include <unordered_map>

#include "hinge/oracle/forwarding_oracle.h"

namespace hinge {

class RowPlanes {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  virtual ~RowPlanes() = default;
  // Whose row it is; kNone where nothing is learned from it.
  virtual std::size_t example(std::size_t row) const = 0;
  // Where every excess is a sum over the example's rows, and each of these is the maximum of few planes: lists them, without
  // a row, which would be φ. False for other queries and examples.
  virtual bool all_planes(std::size_t row, const Query& query, ProductPlanes& out) const = 0;
  // Elsewhere: the same examples with the scores z of rows for weights, so that slopes are amounts of rows; null where
  // `all_planes` serves every query that is hard.
  virtual const Oracle* of_scores() const { return nullptr; }
};

// The rows of k that were asked for last.
class KeptRows {
 public:
  using Row = std::shared_ptr<const std::vector<double>>;
  explicit KeptRows(std::size_t most) : most_(most) {}
  // make() is the row; it may be asked for by several threads at once.
  template <class Make>
  Row get(std::size_t i, const Make& make);
  std::size_t made() const { return made_; }  // so far

 private:
  struct Kept {
    Row row;
    std::list<std::size_t>::iterator turn;
  };

  std::size_t most_;
  std::mutex lock_;
  std::list<std::size_t> turns_;  // the rows that are kept, the one asked for last in front
  std::unordered_map<std::size_t, Kept> kept_;
  std::size_t made_ = 0;
};

class GramOracle final : public ForwardingOracle {
 public:
  using Row = KeptRows::Row;
  // Writes k_ij for all j; the same numbers each time, from several threads at once.
  using Fill = std::function<void(std::size_t i, std::span<double> out)>;

  // `own` are the k_ii. Rows take at most `bytes`, but for those in use.
  GramOracle(const Oracle& behind, const RowPlanes& planes, Vector own, Fill fill, std::size_t bytes)
      : ForwardingOracle(behind),
        planes_(planes),
        own_(std::move(own)),
        fill_(std::move(fill)),
        rows_(std::max<std::size_t>(1, bytes / (sizeof(double) * std::max<std::size_t>(1, own_.size())))) {
    for (std::size_t i = 0; i < size() && complete_; ++i) complete_ = determined(i);
  }

  const RowPlanes& planes() const { return planes_; }
  std::size_t rows() const { return own_.size(); }
  double squared_norm(std::size_t i) const { return own_[i]; }  // k_ii
  // In double precision: rounding to single would leave k indefinite, by more than a gap where rows are far from 0 and amounts
  // of them large.
  Row row(std::size_t i) const {
    return rows_.get(i, [&] {
      std::vector<double> made(rows());
      fill_(i, made);
      return made;
    });
  }
  std::size_t rows_made() const { return rows_.made(); }

  std::string refusal(const Query& query) const override {
    if (!complete_)
      return "a kernel without a map needs complete labels: use `kernel_map` greedy, or complete or remove "
             "the examples that have none.";
    if (!query.hard())
      return "a kernel without a map serves maxima, not sums: use `kernel_map` greedy, or the method ssvm.";
    return behind_.refusal(query);
  }

 private:
  const RowPlanes& planes_;
  Vector own_;
  Fill fill_;
  bool complete_ = true;
  mutable KeptRows rows_;
};

template <class Make>
KeptRows::Row KeptRows::get(std::size_t i, const Make& make) {
  {
    const std::lock_guard hold(lock_);
    if (const auto found = kept_.find(i); found != kept_.end()) {
      turns_.splice(turns_.begin(), turns_, found->second.turn);
      return found->second.row;
    }
  }
  const Row made = std::make_shared<const std::vector<double>>(make());
  const std::lock_guard hold(lock_);
  ++made_;
  if (kept_.contains(i)) return made;  // another thread was faster
  while (kept_.size() >= most_) {
    kept_.erase(turns_.back());
    turns_.pop_back();
  }
  turns_.push_front(i);
  kept_.emplace(i, Kept{made, turns_.begin()});
  return made;
}

}  // namespace hinge
