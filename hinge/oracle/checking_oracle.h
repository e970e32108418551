// An oracle that watches for planes that cut. A plane p of exact inference lies below its function; when
// inference is approximate, it may be that
//
//     p(w) > f(w),        p made at some other w', f(w) as the oracle answers it,
//
// so that p supports nothing and a gap is no certificate. The last planes of each example and side are
// remembered, until the same side is asked for at other temperatures, and new answers compared with them;
// answers that are too low, beyond rounding, are the `cuts` of the report. The oracle behind is not owned.
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
  // Remembers `capacity` planes of each example's answers for each side.
  explicit CheckingOracle(const Oracle& watched, std::size_t capacity = 2)
      : ForwardingOracle(watched),
        sides_{Seen(watched, capacity), Seen(watched, capacity), Seen(watched, capacity)} {}
  explicit CheckingOracle(const Oracle&&, std::size_t = 2) = delete;

  InferenceReport inference() const override {
    InferenceReport report = behind_.inference();
    report.cuts += cuts_;
    return report;
  }

  void support(std::size_t i, Weights w, const Query& query, Plane& out) const override {
    behind_.support(i, w, query, out);
    const std::scoped_lock lock(locks_[i % locks_.size()]);
    Seen& seen = sides_[static_cast<std::size_t>(query.side)];
    if (!(seen.query[i] == query)) {
      seen.planes.forget(i);
      seen.query[i] = query;
    }
    compare(seen.planes.best(i, w), out.at(w));
    seen.planes.add(i, out);
  }
  // By way of a plane of its own, which is compared and remembered too.
  double add_support(std::size_t i, Weights w, const Query& query, double factor,
                     std::span<double> slope) const override {
    return Oracle::add_support(i, w, query, factor, slope);
  }

 private:
  void compare(const PlaneCache::Below& below, double value) const {
    constexpr double kRounding = 1e-9;
    if (below.plane != nullptr && below.at_w > value + kRounding * (1 + std::abs(value))) ++cuts_;
  }

  // What was seen of one side: of each example the last query, and planes that answered it.
  struct Seen {
    Seen(const Oracle& watched, std::size_t capacity)
        : query(watched.size()), planes(watched.size(), capacity) {}
    std::vector<Query> query;
    PlaneCache planes;
  };

  mutable std::array<Seen, 3> sides_;
  mutable std::array<std::mutex, 64> locks_;
  mutable std::atomic<std::size_t> cuts_ = 0;
};

}  // namespace hinge
