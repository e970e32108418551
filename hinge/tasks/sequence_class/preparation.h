// What is done to frames before they are scored: each channel is shifted and scaled to mean 0 and variance 1
// over all frames of the training data, and a frame gets its `window` neighbours on either side, zeros beyond
// the ends.
#pragma once

#include <span>

#include "hinge/core/archive.h"
#include "hinge/core/ranks.h"
#include "hinge/tasks/sequence_class/frames.h"

namespace hinge {

// Frames of training data: those that this process has, and ranks that have the others; null where it has all.
struct FramesOfAll {
  std::span<const Frames> own;
  Ranks* ranks = nullptr;
};

class Preparation {
 public:
  static constexpr std::uint32_t kMaxWindow = 100;

  Preparation() = default;
  // From training data. A channel that never changes is only shifted.
  Preparation(const FramesOfAll& training, std::size_t channels, bool standardise, std::size_t window);

  std::size_t channels() const { return mean_.size(); }  // of the data
  std::size_t window() const { return window_; }
  std::size_t columns() const { return channels() * (2 * window_ + 1); }  // of what is scored

  void operator()(Frames& x) const;

  void save(Archive& archive) const;
  static Preparation load(const Archive& archive);  // throws InputError when it is damaged

 private:
  std::size_t window_ = 0;
  Vector mean_, scale_;
};

}  // namespace hinge
