#include "hinge/solvers/mean_plane.h"

#include <algorithm>
#include <numeric>

namespace hinge {

MeanPlane::MeanPlane(const Objective& objective, std::size_t cached_planes)
    : objective_(objective),
      cached_planes_(cached_planes),
      cache_(cached_planes > 0 ? objective.size() : 0, cached_planes),
      sum_(objective.dimension()),
      planes_(cached_planes > 0 ? kPlanesAtOnce : 0) {}

double MeanPlane::touch(Weights w, Plane& out, const std::function<void()>& pause) {
  const double C = objective_.C();
  if (cached_planes_ == 0) {
    const double value = objective_.sum_of_excesses(w, sum_) / C;
    for (double& v : sum_) v /= C;
    gather(value - dot(sum_, w), out);
    return value;
  }
  auto& [at, value, offset] = pass_;
  if (at == 0) std::ranges::fill(sum_, 0.0);
  while (at < objective_.size()) {
    if (pause) pause();
    batch_.resize(std::min(kPlanesAtOnce, objective_.size() - at));
    std::iota(batch_.begin(), batch_.end(), at);
    objective_.planes(batch_, w, planes_);
    for (std::size_t k = 0; k < batch_.size(); ++k) {
      const double share = objective_.block_weight(batch_[k]) / C;
      value += share * planes_[k].at(w);
      offset += share * planes_[k].offset;
      planes_[k].slope.add_to(sum_, share);
      cache_.add(batch_[k], planes_[k]);
    }
    at += batch_.size();
  }
  gather(offset, out);
  return std::exchange(pass_, {}).value;
}

void MeanPlane::keep(Snapshot& snapshot) {
  snapshot(cache_, pass_);
  if (pass_.at > 0) snapshot(sum_);
}

double MeanPlane::from_cache(Weights w, Plane& out) {
  std::vector<PlaneCache::Below> best(objective_.size());
  objective_.executor().run(best.size(), [&](std::size_t i) { best[i] = cache_.best(i, w); });
  std::ranges::fill(sum_, 0.0);
  double value = 0, offset = 0;
  for (std::size_t i = 0; i < best.size(); ++i) {
    if (best[i].plane == nullptr) continue;
    if (best[i].at_w <= 0 && !objective_.oracle().may_be_negative(i)) continue;  // the plane 0 is better
    const double share = objective_.block_weight(i) / objective_.C();
    value += share * best[i].at_w;
    offset += share * best[i].plane->offset;
    best[i].plane->slope.add_to(sum_, share);
  }
  gather(offset, out);
  return value;
}

void MeanPlane::gather(double offset, Plane& out) {
  out.clear();
  out.offset = offset;
  for (std::size_t j = 0; j < sum_.size(); ++j)
    if (sum_[j] != 0) out.slope.add(static_cast<Index>(j), sum_[j]);
}

}  // namespace hinge
