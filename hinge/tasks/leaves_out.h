// A power (powers.h): a model file need not hold all that training knew.
#pragma once

#include "hinge/core/archive.h"
#include "hinge/core/vector.h"

namespace hinge {

class LeavesOut {
 public:
  virtual ~LeavesOut() = default;
  // Takes what no prediction can depend on out of what `save` wrote, and its weights.
  virtual void leave_out(Archive& archive, Vector& weights) const = 0;
};

}  // namespace hinge
