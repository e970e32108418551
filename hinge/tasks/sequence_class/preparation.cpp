#include "hinge/tasks/sequence_class/preparation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "hinge/tasks/shared_records.h"

namespace hinge {
namespace {

// add(frames, sums) for all sequences in their order, whichever rank has them.
template <class Add>
void for_frames(const FramesOfAll& training, Vector& sums, const Add& add) {
  const auto add_own = [&](Vector& to) {
    for (const Frames& x : training.own) add(x, to);
  };
  if (training.ranks == nullptr) return add_own(sums);
  in_turn(*training.ranks, sums, add_own);
}

}  // namespace

Preparation::Preparation(const FramesOfAll& training, std::size_t channels, bool standardise,
                         std::size_t window)
    : window_(window), mean_(channels, 0.0), scale_(channels, 1.0) {
  if (!standardise) return;
  Vector sums(channels + 1);  // and how many frames
  for_frames(training, sums, [&](const Frames& x, Vector& to) {
    for (std::size_t k = 0; k < x.values.size(); ++k) to[k % channels] += x.values[k];
    to.back() += static_cast<double>(x.length());
  });
  const double count = sums.back();
  for (std::size_t d = 0; d < channels; ++d) mean_[d] = sums[d] / count;
  Vector variance(channels, 0.0);
  for_frames(training, variance, [&](const Frames& x, Vector& to) {
    for (std::size_t k = 0; k < x.values.size(); ++k) {
      const double d = x.values[k] - mean_[k % channels];
      to[k % channels] += d * d / count;
    }
  });
  for (std::size_t d = 0; d < channels; ++d) {
    const double rounding = 1e-6 * std::abs(mean_[d]);  // of float numbers
    if (variance[d] > rounding * rounding) scale_[d] = 1 / std::sqrt(variance[d]);
  }
}

void Preparation::operator()(Frames& x) const {
  const std::size_t length = x.length(), D = channels();
  Frames wide{columns(), std::vector<float>(length * columns(), 0.0f)};
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t d = 0; d < D; ++d) {
      constexpr double most = std::numeric_limits<float>::max();
      const auto value = static_cast<float>(std::clamp((x.frame(t)[d] - mean_[d]) * scale_[d], -most, most));
      // Frame t is neighbour t − at + window of frame `at`.
      const std::size_t first = t < window_ ? 0 : t - window_, last = std::min(length - 1, t + window_);
      for (std::size_t at = first; at <= last; ++at)
        wide.values[at * columns() + (t + window_ - at) * D + d] = value;
    }
  x = std::move(wide);
}

void Preparation::save(Archive& archive) const {
  archive.arrays["frames.mean"] = mean_;
  archive.arrays["frames.scale"] = scale_;
  archive.header["frames"] = {{"window", window_}};
}

Preparation Preparation::load(const Archive& archive) {
  Preparation loaded;
  loaded.mean_ = archive.get<double>("frames.mean");
  loaded.scale_ = archive.get<double>("frames.scale");
  loaded.window_ = whole_number<std::uint32_t>(archive.header.at("frames"), "window");
  if (loaded.mean_.empty() || loaded.mean_.size() != loaded.scale_.size() || loaded.window_ > kMaxWindow)
    fail("the model's means and scales of channels do not fit together: train the model again.");
  return loaded;
}

}  // namespace hinge
