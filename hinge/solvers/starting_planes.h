// Where a solver on planes begins: with those that an earlier run left, or with none.
#pragma once

#include "hinge/solvers/plane_model.h"
#include "hinge/solvers/run.h"

namespace hinge {

// The model of `start.planes` under new block weights when it has the same shape, else an empty one. The
// earlier run must have minimised the same objective, but for C. It is copied where somebody else holds it.
inline std::shared_ptr<PlaneModel> starting_planes(const Objective& objective, Start& start,
                                                   Vector block_weights) {
  std::shared_ptr<PlaneModel> earlier = std::move(start.planes);
  if (earlier == nullptr || earlier->blocks() != block_weights.size() ||
      earlier->weights().size() != objective.dimension())
    return std::make_shared<PlaneModel>(objective.dimension(), std::move(block_weights),
                                        objective.regulariser());
  if (earlier.use_count() > 1) earlier = std::make_shared<PlaneModel>(*earlier);
  earlier->set_block_weights(std::move(block_weights));
  return earlier;
}

// The first weights to ask the oracle at: given ones, else those of given planes, else the centre.
inline Vector first_weights(const Objective& objective, Start& start, const PlaneModel& model) {
  if (start.weights.empty() && model.planes() > 0) return {model.weights().begin(), model.weights().end()};
  return starting_weights(objective, start);
}

}  // namespace hinge
