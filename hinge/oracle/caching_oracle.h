// An oracle that remembers the last planes that it gave for one query. As an Oracle it stays exact: `support`
// always asks the oracle behind it. Who can use a cut that lies below but need not touch asks
// `lower_support`, whose value at w is a lower bound and no primal value. The oracle behind is not owned.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <optional>

#include "hinge/oracle/oracle.h"
#include "hinge/oracle/plane_cache.h"

namespace hinge {

class CachingOracle final : public Oracle {
 public:
  // Remembers `capacity` planes of each example's answers to `query`.
  CachingOracle(const Oracle& exact, const Query& query, std::size_t capacity)
      : exact_(exact), query_(query), cache_(exact.size(), capacity) {}

  Index dimension() const override { return exact_.dimension(); }
  std::size_t size() const override { return exact_.size(); }
  double weight(std::size_t i) const override { return exact_.weight(i); }
  bool determined(std::size_t i) const override { return exact_.determined(i); }
  double work(std::size_t i) const override { return exact_.work(i); }
  std::string refusal(const Query& query) const override { return exact_.refusal(query); }
  Vector start(std::span<const std::size_t> examples, std::size_t attempt) const override {
    return exact_.start(examples, attempt);
  }
  bool draw(std::size_t i, std::uint64_t seed, Plane& out) const override {
    return exact_.draw(i, seed, out);
  }
  InferenceReport inference() const override { return exact_.inference(); }

  void support(std::size_t i, Weights w, const Query& query, Plane& out) const override {
    exact_.support(i, w, query, out);
    if (!(query == query_)) return;
    const std::scoped_lock lock(lock_of(i));
    cache_.add(i, out);
  }
  double add_support(std::size_t i, Weights w, const Query& query, double factor,
                     std::span<double> slope) const override {
    return exact_.add_support(i, w, query, factor, slope);
  }

  // The remembered plane that is highest at w, if it is at least `enough` there: a hit. Returns its value at
  // w, a lower bound on the function's; nothing, and `out` as it was, on a miss.
  std::optional<double> lower_support(std::size_t i, Weights w, double enough, Plane& out) const {
    const std::scoped_lock lock(lock_of(i));
    const PlaneCache::Below below = cache_.best(i, w);
    if (below.plane == nullptr || !(below.at_w >= enough)) {
      ++misses_;
      return std::nullopt;
    }
    ++hits_;
    out = *below.plane;
    return below.at_w;
  }

  std::size_t hits() const { return hits_; }
  std::size_t misses() const { return misses_; }

 private:
  std::mutex& lock_of(std::size_t i) const { return locks_[i % locks_.size()]; }

  const Oracle& exact_;
  Query query_;
  mutable PlaneCache cache_;
  mutable std::array<std::mutex, 64> locks_;
  mutable std::atomic<std::size_t> hits_ = 0, misses_ = 0;
};

}  // namespace hinge
