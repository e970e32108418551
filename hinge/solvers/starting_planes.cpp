#include "hinge/solvers/starting_planes.h"

#include <algorithm>

#include "hinge/solvers/mean_plane.h"

namespace hinge {
namespace {

// Planes at w for the blocks that may not begin with the plane 0.
void set_floors(const Objective& objective, Weights w, PlaneModel& model) {
  std::vector<std::size_t> examples;
  for (std::size_t i = 0; i < objective.size(); ++i)
    if (objective.oracle().may_be_negative(i)) examples.push_back(i);
  if (examples.empty()) return;
  if (model.blocks() != objective.size()) {
    Plane mean;
    MeanPlane(objective, 0).touch(w, mean);
    model.set_floor(0, mean);
  } else {
    std::vector<Plane> planes(std::min(kPlanesAtOnce, examples.size()));
    for (std::size_t first = 0; first < examples.size(); first += kPlanesAtOnce) {
      const std::size_t count = std::min(kPlanesAtOnce, examples.size() - first);
      const std::span<const std::size_t> batch(examples.data() + first, count);
      objective.planes(batch, w, planes);
      for (std::size_t k = 0; k < count; ++k) model.set_floor(batch[k], planes[k]);
    }
  }
  model.rebuild();
}

}  // namespace

std::shared_ptr<PlaneModel> starting_planes(const Objective& objective, Start& start, Vector block_weights) {
  std::shared_ptr<PlaneModel> earlier = std::move(start.planes);
  if (earlier == nullptr || earlier->blocks() != block_weights.size() ||
      earlier->weights().size() != objective.dimension()) {
    auto made = std::make_shared<PlaneModel>(objective.dimension(), std::move(block_weights),
                                             objective.regulariser());
    const Vector centre = objective.regulariser().centre;
    set_floors(objective,
               !start.weights.empty() ? start.weights
               : centre.empty()       ? Vector(objective.dimension())
                                      : centre,
               *made);
    return made;
  }
  if (earlier.use_count() > 1) earlier = std::make_shared<PlaneModel>(*earlier);
  earlier->set_block_weights(std::move(block_weights));
  return earlier;
}

}  // namespace hinge
