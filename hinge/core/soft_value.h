// A sum over structures at a temperature, and what of it is entropy: value = <scores, counts> + entropy.
#pragma once

namespace hinge {

struct SoftValue {
  double value = 0;    // T_τ[scores]
  double entropy = 0;  // τ H
};

}  // namespace hinge
