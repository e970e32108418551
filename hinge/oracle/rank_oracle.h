// The examples of all ranks, of which this one has a run: [first, first + its size). What is known of every example
// without inference (weights, work, whether a label is complete) is told to all ranks once; questions about planes are
// answered for this rank's own examples, and refused for others. Whoever loops over examples asks `owner`.
#pragma once

#include <functional>

#include "hinge/core/errors.h"
#include "hinge/core/ranks.h"
#include "hinge/core/snapshot.h"
#include "hinge/core/sum.h"
#include "hinge/oracle/oracle.h"

namespace hinge {

class RankOracle final : public Oracle {
 public:
  // Which of all the examples are whose, by their pieces (DenseSum::owner).
  struct Place {
    std::size_t examples, pieces, ranks, first;
  };
  // First weights by the examples of all ranks, which all ask for together; empty: the own oracle's do not look at them.
  using Start = std::function<Vector(std::size_t attempt)>;
  RankOracle(const Oracle& own, Place place, Ranks& ranks, Start start = {})
      : own_(own), place_(place), start_(std::move(start)), about_(told(own, ranks)) {}
  RankOracle(const Oracle&&, Place, Ranks&, Start = {}) = delete;

  std::size_t owner(std::size_t i) const {
    return DenseSum::owner(i, place_.examples, place_.pieces, place_.ranks);
  }
  std::size_t pieces() const { return place_.pieces; }
  // The examples of this rank, of which the first has that number.
  const Oracle& own() const { return own_; }
  std::size_t first() const { return place_.first; }

  Index dimension() const override { return own_.dimension(); }
  std::size_t size() const override { return place_.examples; }
  std::vector<Index> nonnegative() const override { return own_.nonnegative(); }
  Vector centre() const override { return own_.centre(); }
  double weight(std::size_t i) const override { return about_.weight[i]; }
  double work(std::size_t i) const override { return about_.work[i]; }
  bool determined(std::size_t i) const override { return about_.determined[i]; }
  bool may_be_negative(std::size_t i) const override { return about_.may_be_negative[i]; }
  bool smooth() const override { return own_.smooth(); }
  // Of this rank's own examples; what all may be is for ranks to agree on.
  bool may_approximate(std::size_t i, const Query& query) const override {
    return has(i) && own_.may_approximate(i - place_.first, query);
  }
  std::string refusal(const Query& query) const override { return own_.refusal(query); }
  InferenceReport inference() const override { return own_.inference(); }
  void support(std::size_t i, Weights w, const Query& query, Plane& out) const override {
    own_.support(at(i), w, query, out);
  }
  double add_support(std::size_t i, Weights w, const Query& query, double factor,
                     std::span<double> slope) const override {
    return own_.add_support(at(i), w, query, factor, slope);
  }
  Vector start(std::span<const std::size_t> examples, std::size_t attempt) const override {
    if (!examples.empty())
      fail("first weights by some of the examples need all on every rank: leave out `share_data`.");
    return start_ ? start_(attempt) : own_.start({}, attempt);
  }
  std::optional<Widening> widened(Executor& executor) const override {
    std::optional<Widening> wide = own_.widened(executor);
    if (wide) wide->oracle = std::make_shared<RankOracle>(wide->oracle, *this);
    return wide;
  }

  // The same examples in another layout of the weights.
  RankOracle(std::shared_ptr<const Oracle> wide, const RankOracle& narrow)
      : own_(*wide), kept_(std::move(wide)), place_(narrow.place_), about_(narrow.about_) {}

 private:
  struct About {
    Vector weight, work;
    std::vector<char> determined, may_be_negative;
    void keep(Snapshot& snapshot) { snapshot(weight, work, determined, may_be_negative); }
  };
  static About told(const Oracle& own, Ranks& ranks) {
    About all;
    for (const std::string& bytes : ranks.gather([&] {
           About mine;
           for (std::size_t i = 0; i < own.size(); ++i) {
             mine.weight.push_back(own.weight(i));
             mine.work.push_back(own.work(i));
             mine.determined.push_back(own.determined(i));
             mine.may_be_negative.push_back(own.may_be_negative(i));
           }
           Snapshot snapshot;
           snapshot(mine);
           return snapshot.bytes();
         })) {
      About theirs;
      Snapshot snapshot(bytes);
      snapshot(theirs);
      const auto add = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
      add(all.weight, theirs.weight);
      add(all.work, theirs.work);
      add(all.determined, theirs.determined);
      add(all.may_be_negative, theirs.may_be_negative);
    }
    return all;
  }
  bool has(std::size_t i) const { return i >= place_.first && i - place_.first < own_.size(); }
  std::size_t at(std::size_t i) const {
    if (!has(i))
      fail("example {} is another rank's, where `share_data` keeps it: leave out `share_data`.", i + 1);
    return i - place_.first;
  }

  const Oracle& own_;
  std::shared_ptr<const Oracle> kept_;
  Place place_;
  Start start_;
  About about_;
};

}  // namespace hinge
