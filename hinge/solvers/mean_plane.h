// All examples' planes at one w, as one:
//
//     R(w) = Σ_i (c_i / n) excess_i(w),        objective(w) = Ω(w) + C R(w).
//
// `touch` gives R's plane at w. `from_cache` gives the same sum over the best planes that each example's
// cache holds (Joachims, Finley & Yu 2009, section 4.5), without asking the oracle: it lies below R and need
// not touch.
#pragma once

#include <functional>

#include "hinge/learning/objective.h"
#include "hinge/oracle/plane_cache.h"

namespace hinge {

constexpr std::size_t kPlanesAtOnce = 256;  // that solvers hold which do not keep them

class MeanPlane {
 public:
  // Remembers that many planes of each example; 0 is fastest where `from_cache` is not used.
  MeanPlane(const Objective& objective, std::size_t cached_planes);

  // The plane of R at w; returns R(w). Where planes are remembered, a pass may stop for a while before each batch of examples,
  // where `pause` is called: from there it is gone on with by another process that has read what was kept.
  double touch(Weights w, Plane& out, const std::function<void()>& pause = {});
  // Returns the plane's value at w, a lower bound on R(w). Only after a `touch`.
  double from_cache(Weights w, Plane& out);
  void keep(Snapshot& snapshot);

 private:
  void gather(double offset, Plane& out);

  const Objective& objective_;
  std::size_t cached_planes_;
  PlaneCache cache_;
  Vector sum_;
  struct Pass {
    std::size_t at = 0;            // the next example
    double value = 0, offset = 0;  // of those before it
  } pass_;
  std::vector<std::size_t> batch_;
  std::vector<Plane> planes_;
};

}  // namespace hinge
