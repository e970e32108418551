#include "hinge/inference/graph_plans.h"

namespace hinge {

std::shared_ptr<const GraphPlan> GraphPlans::get(const Graph& graph, const Roles& roles,
                                                 const PlanLimits& limits) {
  {
    const std::scoped_lock lock(mutex_);
    const auto found = plans_.find(roles);
    if (found != plans_.end() && found->second.limits == limits) return found->second.plan;
  }
  auto plan = std::make_shared<const GraphPlan>(graph, roles, limits);
  const std::scoped_lock lock(mutex_);
  const std::size_t words = plan->words() + roles.size() / sizeof(double);
  if (words_ + words <= kMaxWords) {
    words_ += words;
    plans_.insert_or_assign(roles, Kept{limits, plan});
  }
  return plan;
}

}  // namespace hinge
