// What to say where two ranks have other weights than each other, which the same program on machines in order never does.
#pragma once

#include <cstddef>
#include <string>

#include "hinge/core/errors.h"

namespace hinge {

inline std::string different_weights(std::size_t one, std::size_t other) {
  return fmt::format(
      "ranks {} and {} have come to different weights: give all machines the same program and the same kind "
      "of "
      "processor, and test their memory; where nothing of that is amiss, please report it.",
      one, other);
}

}  // namespace hinge
