#include "hinge/inference/class_chain.h"

#include "hinge/inference/path_search.h"

namespace hinge {

void ClassScores::shape(std::size_t classes, std::size_t length, std::size_t states) {
  if (chains_.size() < classes) chains_.resize(classes);
  for (std::size_t c = 0; c < classes; ++c) chains_[c].shape(length, states);
  offset_.assign(classes, 0.0);
  hidden_ = false;
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
  return smooth_max(counts.value_, scores.hidden() ? latent_temperature : output_temperature, counts.amount_);
}

void ClassChain::for_each_structure(const Scores& scores, const std::function<void(const ClassPath&)>& f) {
  for (Index c = 0; c < scores.classes(); ++c)
    for_each_path(scores.chain(c).length(), scores.chain(c).labels(), [&](const Path& path) {
      f({c, path});
    });
}

}  // namespace hinge
