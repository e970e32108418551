// Where a solver on planes begins: with those that an earlier run left, or with none.
#pragma once

#include "hinge/solvers/plane_model.h"
#include "hinge/solvers/run.h"

namespace hinge {

// The model of `start.planes` under new block weights when it has the same shape, else an empty one: whose
// blocks, where an excess may be negative, begin with the plane at the first weights. The earlier run must
// have minimised the same objective, but for C. It is copied where somebody else holds it.
std::shared_ptr<PlaneModel> starting_planes(const Objective& objective, Start& start, Vector block_weights);

// Makes planes of the objective's excesses valid after Objective::linearize changed them. One block holds
// planes of their mean.
inline void shift_planes(const Objective& objective, std::span<const Plane> changes, PlaneModel& planes) {
  if (planes.blocks() == changes.size()) return planes.shift(changes);
  Plane mean;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const double share = objective.block_weight(i) / objective.C();
    mean.offset += share * changes[i].offset;
    for (std::size_t k = 0; k < changes[i].slope.size(); ++k)
      mean.slope.add(changes[i].slope.indices()[k], share * changes[i].slope.values()[k]);
  }
  mean.slope.compress();
  planes.shift({&mean, 1});
}

// The first weights to ask the oracle at: given ones, else those of given planes, else the centre.
inline Vector first_weights(const Objective& objective, Start& start, const PlaneModel& model) {
  if (start.weights.empty() && model.planes() > 0) return {model.weights().begin(), model.weights().end()};
  return starting_weights(objective, start);
}

}  // namespace hinge
