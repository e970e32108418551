// An oracle that remembers the last planes that it gave for one query. As an Oracle it stays exact: `support`
// always asks the oracle behind it. Who can use a cut that lies below but need not touch asks
// `lower_support`, whose value at w is a lower bound and no primal value. The oracle behind is not owned.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <optional>

#include "hinge/oracle/forwarding_oracle.h"
#include "hinge/oracle/plane_cache.h"

namespace hinge {

class CachingOracle final : public ForwardingOracle {
 public:
  // Remembers `capacity` planes of each example's answers to `query`.
  CachingOracle(const Oracle& exact, const Query& query, std::size_t capacity)
      : ForwardingOracle(exact), query_(query), cache_(exact.size(), capacity) {}
  CachingOracle(const Oracle&&, const Query&, std::size_t) = delete;

  void support(std::size_t i, Weights w, const Query& query, Plane& out) const override {
    behind_.support(i, w, query, out);
    if (!(query == query_)) return;
    const std::scoped_lock lock(lock_of(i));
    cache_.add(i, out);
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

  Query query_;
  mutable PlaneCache cache_;
  mutable std::array<std::mutex, 64> locks_;
  mutable std::atomic<std::size_t> hits_ = 0, misses_ = 0;
};

}  // namespace hinge
