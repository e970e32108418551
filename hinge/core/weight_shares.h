// The weights that a process works at, where examples are cut into pieces (sum.h) and each reads few of the weights. The
// home of a weight is one of the pieces with an example that reads it, in turn, so that what many read is spread over
// all of them (the first piece where none does), and
//
//     places = [ weights whose home is a piece of this rank, by home | others that its pieces read, by home ]
//
// each by number where the home is the same. A solver has vectors of these weights alone, moves them one by one as if
// they were all, and asks here for what is made of those of all ranks:
//
//     sum      Σ over weights: over those of one home in their order, over homes as a tree
//     gather   Σ over examples: what others have of a weight comes to its home's rank, which adds it up along the tree
//              of pieces and tells those that read it
//     whole    a vector of all weights, for the end and for checkpoints
//
// What one rank reads alone does not travel. Homes depend on the pieces and not on ranks, and one process, which has
// them all, adds in the same order: the bits are the same.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hinge/core/rank_sum.h"
#include "hinge/core/set_of_numbers.h"
#include "hinge/core/snapshot.h"
#include "hinge/core/vector.h"

namespace hinge {

class WeightShares {
 public:
  // All weights, by number: nothing is known of who reads them, and every rank has them.
  explicit WeightShares(std::size_t dimension)
      : dimension_(dimension), size_(dimension), homed_(dimension), ends_{dimension} {}
  // reads[k] are those that the rank's k-th piece reads; no ranks: this process has all pieces. Ranks make theirs together.
  WeightShares(std::size_t dimension, std::size_t pieces, const std::vector<SetOfNumbers>& reads,
               Ranks* ranks);

  std::size_t dimension() const { return dimension_; }
  std::size_t size() const { return size_; }       // of this rank
  bool by_number() const { return by_number_; }    // all of them, in their order
  bool some() const { return ranks_ != nullptr; }  // whether other ranks have others
  const std::vector<Index>& places() const { return places_; }

  // run(first, last, sums) adds what the weights [first, last) of this rank's add to `sums`; it is called once for
  // each of them. In `sums` are then the sums over all weights.
  using Run = std::function<void(std::size_t first, std::size_t last, std::span<double> sums)>;
  void sum(std::span<double> sums, const Run& run) const;

  // As RankSum, of dense sums where weight j of this rank's is at[j]. Only where there are ranks.
  double gather(std::span<const Index> at, std::span<double> sum, const RankSum::Add& add) const;

  // A sentence where a rank has come to another weight than its home here; else empty.
  std::string difference(Weights w) const;

  template <class T>
  std::vector<T> own(std::vector<T> whole) const {
    if (by_number()) return whole;
    std::vector<T> mine(size());
    for (std::size_t j = 0; j < size(); ++j) mine[j] = whole[places_[j]];
    return mine;
  }
  template <class T>
  std::vector<T> whole(std::vector<T> mine) const {
    if (by_number()) return mine;
    std::vector<T> all(dimension_);
    if (ranks_ == nullptr) {
      for (std::size_t j = 0; j < size(); ++j) all[places_[j]] = mine[j];
      return all;
    }
    // A part of each rank's at a time: what comes has little room beside what it becomes.
    const char* const bytes = reinterpret_cast<const char*>(mine.data());
    std::vector<std::size_t> next = homes_;
    for (std::size_t first = 0; first < most_homed_; first += kSlice) {
      const std::size_t begin = std::min(first, homed_), count = std::min(kSlice, homed_ - begin);
      const std::vector<std::string> told =
          ranks_->gather([&] { return std::string(bytes + sizeof(T) * begin, sizeof(T) * count); });
      for (std::size_t r = 0; r < told.size(); ++r)
        for (std::size_t at = 0; at < told[r].size(); at += sizeof(T))
          std::memcpy(&all[order_[next[r]++]], told[r].data() + at, sizeof(T));
    }
    return all;
  }
  // A vector of this rank's weights, kept as one of all.
  template <class T>
  void keep(Snapshot& snapshot, std::vector<T>& mine) const {
    if (by_number()) return snapshot(mine);
    bool there = mine.size() == size_;  // or it is not made yet
    snapshot(there);
    if (!there) return mine.clear();
    std::vector<T> all = snapshot.reading() ? std::vector<T>() : whole(mine);
    snapshot(all);
    if (snapshot.reading()) mine = own(std::move(all));
  }

 private:
  std::size_t dimension_, size_;
  std::size_t homed_ = 0;  // at home here: the first of the own
  std::size_t pieces_ = 1;
  bool by_number_ = true;
  Ranks* ranks_ = nullptr;
  std::vector<Index> places_;
  std::vector<std::size_t> ends_;  // of the weights at home in each of the own pieces
  // Where there are ranks:
  static constexpr std::size_t kSlice = std::size_t{1} << 15;  // numbers that each tells at once
  std::vector<Index> order_;                                   // all weights, by home
  std::vector<std::size_t> homes_;        // where those begin in it that are at home on each rank
  std::size_t most_homed_ = 0;            // on any of them
  std::vector<std::size_t> copies_;       // where, among the own, those begin whose home is each rank's
  std::vector<std::vector<Index>> read_;  // of those at home here, which each rank reads
};

}  // namespace hinge
