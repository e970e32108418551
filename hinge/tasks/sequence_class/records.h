// What files of frames say: the frames of each sequence, and its class by name or none.
#pragma once

#include <algorithm>
#include <cmath>

#include "hinge/core/errors.h"
#include "hinge/tasks/class_names.h"
#include "hinge/tasks/sequence_class/frames.h"

namespace hinge {

struct FramesRecords {
  std::vector<Frames> inputs;
  std::vector<int> labels;      // numbers of `classes`, or kHiddenClass
  StringTable classes;          // in the order of first appearance
  std::vector<double> weights;  // empty when every weight is 1

  double weight(std::size_t i) const { return weights.empty() ? 1 : weights[i]; }

  // All sequences have the same number of channels. Throws InputError, which says the number of the sequence.
  void add(Frames frames, std::optional<std::string_view> label) {
    const std::size_t channels = inputs.empty() ? frames.channels : inputs.front().channels;
    if (frames.length() == 0 || frames.values.size() % frames.channels != 0)
      fail("sequence {} has {} values of {} channels: give whole frames, at least one.", inputs.size(),
           frames.values.size(), frames.channels);
    if (frames.channels != channels)
      fail("sequence {} has {} channels, where those before have {}.", inputs.size(), frames.channels,
           channels);
    if (!std::ranges::all_of(frames.values, [](float value) { return std::isfinite(value); }))
      fail("sequence {} has a value that is not a finite number: correct it.", inputs.size());
    inputs.push_back(std::move(frames));
    labels.push_back(class_number(label, classes));
  }
};

}  // namespace hinge
