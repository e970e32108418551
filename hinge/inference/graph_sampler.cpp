#include "hinge/inference/graph_sampler.h"

#include <cassert>

#include "hinge/core/errors.h"
#include "hinge/inference/graph_plans.h"

namespace hinge {

GraphSampler::GraphSampler(const GraphScores& scores, std::size_t max_cells)
    : scores_(scores),
      plan_(scores.graph().plans().get(scores.graph(),
                                       Roles(scores.graph().nodes(), static_cast<char>(Role::output)),
                                       PlanLimits{max_cells})),
      unary_(scores.node(0), scores.node(0) + scores.graph().node_cells()) {
  for ([[maybe_unused]] int state : scores.observed()) assert(state == GraphScores::kOpen);
  if (!plan_->feasible())
    fail("a graph of {} nodes is too wide to draw from exactly: make it smaller, or give it fewer states.",
         scores.graph().nodes());
  elimination_.forward(*plan_, scores_, 1, 1, unary_);
}

Assignment GraphSampler::draw(Random& random) const {
  Assignment s(scores_.graph().nodes());
  elimination_.draw(*plan_, scores_, unary_, random, s);
  return s;
}

}  // namespace hinge
