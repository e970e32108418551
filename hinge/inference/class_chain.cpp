#include "hinge/inference/class_chain.h"

#include "hinge/inference/path_search.h"

namespace hinge {

void ClassScores::shape(std::size_t classes, std::size_t length, std::size_t states) {
  if (chains_.size() < classes) chains_.resize(classes);
  for (std::size_t c = 0; c < classes; ++c) chains_[c].shape(length, states);
  offset_.assign(classes, 0.0);
  hidden_ = false;
}

void ClassScores::get(std::span<double> out) const {
  for (std::size_t c = 0; c < classes(); ++c) {
    out[0] = offset_[c];
    chains_[c].get(out.subspan(1, chains_[c].parts()));
    out = out.subspan(1 + chains_[c].parts());
  }
}

void ClassScores::set(std::span<const double> in) {
  for (std::size_t c = 0; c < classes(); ++c) {
    offset_[c] = in[0];
    chains_[c].set(in.subspan(1, chains_[c].parts()));
    in = in.subspan(1 + chains_[c].parts());
  }
}

void ClassCounts::get(std::span<double> out) const {
  const std::size_t size = out.size() / amount_.size();
  std::ranges::fill(out, 0.0);
  for_each_used([&](std::size_t c) {
    const std::span<double> own = out.subspan(c * size, size);
    own[0] = offset_[c];
    chains_[c].get(own.subspan(1));
    for (double& v : own.subspan(1)) v *= amount_[c];
  });
  for (const auto& [c, path] : subtracted_) {
    const std::span<double> own = out.subspan(c * size, size);
    const std::size_t labels = chains_[c].labels(), T = path.size();
    own[0] -= 1;
    for (std::size_t t = 0; t < T; ++t) {
      own[1 + t * labels + static_cast<std::size_t>(path[t])] -= 1;
      if (t > 0)
        own[1 + (T + static_cast<std::size_t>(path[t - 1])) * labels + static_cast<std::size_t>(path[t])] -=
            1;
    }
  }
}

void ClassCounts::set(const ClassScores& shape, std::span<const double> in) {
  const std::size_t C = shape.classes(), size = in.size() / C;
  if (chains_.size() < C) chains_.resize(C);
  subtracted_.clear();
  amount_.assign(C, 1.0);
  value_.resize(C);
  offset_.resize(C);
  for (std::size_t c = 0; c < C; ++c) {
    offset_[c] = in[c * size];
    chains_[c].set(shape.chain(c), in.subspan(c * size + 1, size - 1));
  }
}

double ClassChain::solve(const Scores& scores, double output_temperature, double latent_temperature,
                         Counts& counts) {
  const std::size_t C = scores.classes();
  if (chains_.size() < C) chains_.resize(C);
  if (counts.chains_.size() < C) counts.chains_.resize(C);
  counts.subtracted_.clear();
  counts.amount_.resize(C);
  counts.value_.resize(C);
  for (std::size_t c = 0; c < C; ++c)
    counts.value_[c] = scores.offset(c) == kForbidden
                           ? kForbidden
                           : scores.offset(c) + chains_[c].solve(scores.chain(c), latent_temperature,
                                                                 latent_temperature, counts.chains_[c]);
  const double value =
      smooth_max(counts.value_, scores.hidden() ? latent_temperature : output_temperature, counts.amount_);
  counts.offset_ = counts.amount_;
  return value;
}

void ClassChain::for_each_structure(const Scores& scores, const std::function<void(const ClassPath&)>& f) {
  for (Index c = 0; c < scores.classes(); ++c)
    for_each_path(scores.chain(c).length(), scores.chain(c).labels(), [&](const Path& path) {
      f({c, path});
    });
}

}  // namespace hinge
