#include "hinge/tasks/cluster/structures.h"

#include <cassert>

namespace hinge {

const std::vector<std::string>& cluster_structures() {
  static const std::vector<std::string> names = {"forest", "antecedents", "correlation", "pairwise"};
  return names;
}

OneClusterTask make_cluster_task(const std::string& structure, Index dimension, double link_penalty) {
  if (structure == "forest") return std::make_shared<const ForestTask>(dimension, link_penalty);
  if (structure == "antecedents") return std::make_shared<const AntecedentTask>(dimension, link_penalty);
  if (structure == "correlation") return std::make_shared<const CorrelationTask>(dimension, link_penalty);
  assert(structure == "pairwise");
  return std::make_shared<const PairwiseTask>(dimension, link_penalty);
}

}  // namespace hinge
