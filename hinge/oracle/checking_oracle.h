// An oracle that watches for planes that cut. A plane p of exact inference lies below its function; when
// inference is approximate, it may be that
//
//     p(w) > f(w),        p made at some other w', f(w) as the oracle answers it,
//
// so that p supports nothing and a gap is no certificate. The last planes of each example are remembered for
// some queries, and new answers to those compared with them; answers that are too low, beyond rounding, are
// the `cuts` of the report. The oracle behind is not owned.
#pragma once

#include <array>
#include <atomic>
#include <cmath>
#include <mutex>

#include "hinge/oracle/forwarding_oracle.h"
#include "hinge/oracle/plane_cache.h"

namespace hinge {

class CheckingOracle final : public ForwardingOracle {
 public:
  // Remembers `capacity` planes of each example's answers to each query.
  CheckingOracle(const Oracle& watched, std::vector<Query> queries, std::size_t capacity = 2)
      : ForwardingOracle(watched),
        queries_(std::move(queries)),
        caches_(queries_.size(), PlaneCache(watched.size(), capacity)) {}
  CheckingOracle(const Oracle&&, std::vector<Query>, std::size_t = 2) = delete;

  InferenceReport inference() const override {
    InferenceReport report = behind_.inference();
    report.cuts += cuts_;
    return report;
  }

  void support(std::size_t i, Weights w, const Query& query, Plane& out) const override {
    behind_.support(i, w, query, out);
    for (std::size_t k = 0; k < queries_.size(); ++k) {
      if (!(queries_[k] == query)) continue;
      const std::scoped_lock lock(locks_[i % locks_.size()]);
      compare(caches_[k].best(i, w), out.at(w));
      caches_[k].add(i, out);
    }
  }
  // Compared, but not remembered: there is no plane of its own.
  double add_support(std::size_t i, Weights w, const Query& query, double factor,
                     std::span<double> slope) const override {
    const double value = behind_.add_support(i, w, query, factor, slope);
    for (std::size_t k = 0; k < queries_.size(); ++k) {
      if (!(queries_[k] == query)) continue;
      const std::scoped_lock lock(locks_[i % locks_.size()]);
      compare(caches_[k].best(i, w), value);
    }
    return value;
  }

 private:
  void compare(const PlaneCache::Below& below, double value) const {
    constexpr double kRounding = 1e-9;
    if (below.plane != nullptr && below.at_w > value + kRounding * (1 + std::abs(value))) ++cuts_;
  }

  std::vector<Query> queries_;
  mutable std::vector<PlaneCache> caches_;  // one a query
  mutable std::array<std::mutex, 64> locks_;
  mutable std::atomic<std::size_t> cuts_ = 0;
};

}  // namespace hinge
