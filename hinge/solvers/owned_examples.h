// Which examples a process keeps numbers of, where ranks share the work on all: those of its pieces (sum.h), which are
// those it has where ranks share the data (rank_oracle.h).
#pragma once

#include "hinge/core/ranks.h"
#include "hinge/core/snapshot.h"
#include "hinge/core/sum.h"
#include "hinge/learning/objective.h"
#include "hinge/oracle/spread_oracle.h"

namespace hinge {

class OwnedExamples {
 public:
  explicit OwnedExamples(const Objective& objective)
      : ranks_(objective.executor().ranks()),
        size_(objective.size()),
        pieces_(DenseSum::pieces(size_, objective.dimension(), objective.executor())) {
    if (const RankOracle* const spread = spread_oracle(objective.oracle())) first_ = spread->first();
  }

  Ranks* ranks() const { return ranks_; }
  std::size_t size() const { return size_; }  // of all
  std::size_t pieces() const { return pieces_; }
  std::size_t piece(std::size_t i) const { return DenseSum::owner(i, size_, pieces_, pieces_); }
  std::size_t owner(std::size_t i) const {
    return ranks_ == nullptr ? 0 : DenseSum::owner(i, size_, pieces_, ranks_->size());
  }
  bool mine(std::size_t i) const { return ranks_ == nullptr || owner(i) == ranks_->rank(); }
  // The number of an own example in own_oracle().
  std::size_t local(std::size_t i) const { return i - first_; }

  // items[k] by make(k) of the rank to which example(k) belongs; then all ranks have all. `make` may throw.
  template <class T, class Example, class Make>
  void share(std::span<T> items, const Example& example, const Make& make) const {
    if (ranks_ == nullptr) return make();
    const std::vector<std::string> all = ranks_->gather([&] {
      make();
      Snapshot mine;
      for (std::size_t k = 0; k < items.size(); ++k)
        if (owner(example(k)) == ranks_->rank()) mine(items[k]);
      return mine.bytes();
    });
    std::vector<Snapshot> told;
    for (const std::string& bytes : all) told.emplace_back(bytes);
    for (std::size_t k = 0; k < items.size(); ++k)
      if (const std::size_t who = owner(example(k)); who != ranks_->rank()) told[who](items[k]);
  }
  // What each process has of its own examples becomes what all have.
  template <class T>
  void tell(std::vector<T>& values) const {
    share(std::span<T>(values), std::identity(), [] {});
  }
  // A vector of which each process has the items of its own examples, kept whole.
  template <class T>
  void keep(Snapshot& snapshot, std::vector<T>& own) const {
    if (ranks_ == nullptr) return snapshot(own);
    std::vector<T> whole;
    if (!snapshot.reading()) {
      whole = own;
      tell(whole);
    }
    snapshot(whole);
    if (!snapshot.reading()) return;
    own = std::move(whole);
    forget_others(own);
  }
  template <class T>
  void forget_others(std::vector<T>& values) const {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!mine(i)) values[i] = {};
  }

 private:
  Ranks* ranks_;
  std::size_t size_, pieces_, first_ = 0;
};

}  // namespace hinge
