// A sequence of frames, each a row of real numbers, one a channel.
#pragma once

#include <vector>

#include "hinge/core/vector.h"

namespace hinge {

struct Frames {
  std::size_t channels = 0;
  std::vector<float> values;  // frame by frame

  std::size_t length() const { return channels == 0 ? 0 : values.size() / channels; }
  const float* frame(std::size_t t) const { return values.data() + t * channels; }
};

}  // namespace hinge
