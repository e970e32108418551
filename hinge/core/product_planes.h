// Every plane of an example that chooses one of few states s, whose features are the product of its input x
// and the state: with z_s = Σ_k x_k w[row_k · states + s],
//
//     plane_s(w) = offset_s + factor_s (z_s − z_reference).
//
// The reference is the label's own state: its plane is 0, and so is its factor.
#pragma once

#include "hinge/core/vector.h"

namespace hinge {

struct ProductPlanes {
  std::span<const Index> row;  // row and value belong to the input
  std::span<const float> value;
  Index reference = 0;
  Vector offset, factor;  // of every state
};

}  // namespace hinge
