// The plans of one graph, made when first asked for. May be asked from several threads at once.
#pragma once

#include <mutex>
#include <unordered_map>

#include "hinge/inference/graph_plan.h"

namespace hinge {

class GraphPlans {
 public:
  // Kept until all together take kMaxWords; from then on new ones are made for each call.
  std::shared_ptr<const GraphPlan> get(const Graph& graph, const Roles& roles, const PlanLimits& limits);

 private:
  static constexpr std::size_t kMaxWords = std::size_t{1} << 26;
  struct Kept {
    PlanLimits limits;
    std::shared_ptr<const GraphPlan> plan;
  };

  std::mutex mutex_;
  std::unordered_map<Roles, Kept> plans_;
  std::size_t words_ = 0;
};

}  // namespace hinge
