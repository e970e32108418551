// What must hold whatever the input was.
#pragma once

#include <cstdlib>

namespace hinge {

inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace hinge
