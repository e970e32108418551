// A supporting plane of a convex function f of the weights:
//
//     offset + <slope, w> ≤ f(w) for every w, with equality at the w where it was computed.
//
// For a hard maximum it is (Δ, φ) of the winner, for a soft one the slope is E[φ]. Solvers see nothing else.
#pragma once

#include "hinge/core/sparse_vector.h"

namespace hinge {

struct Plane {
  double offset = 0;
  SparseVector slope;

  double at(Weights w) const { return offset + slope.dot(w); }
  void clear() {
    offset = 0;
    slope.clear();
  }
};

// A plane whose slope is dense: a sum over many examples.
struct DensePlane {
  double offset = 0;
  Vector slope;

  double at(Weights w) const { return offset + dot(slope, w); }
};

}  // namespace hinge
