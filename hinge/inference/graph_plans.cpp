#include "hinge/inference/graph_plans.h"

namespace hinge {

std::shared_ptr<const GraphPlan> GraphPlans::get(const Graph& graph, const Roles& roles, std::size_t limit) {
  {
    const std::scoped_lock lock(mutex_);
    const auto found = plans_.find(roles);
    if (found != plans_.end() && found->second.limit == limit) return found->second.plan;
  }
  auto plan = std::make_shared<const GraphPlan>(graph, roles, limit);
  const std::scoped_lock lock(mutex_);
  const std::size_t words = plan->words() + roles.size() / sizeof(double);
  if (words_ + words <= kMaxWords) {
    words_ += words;
    plans_.insert_or_assign(roles, Kept{limit, plan});
  }
  return plan;
}

}  // namespace hinge
