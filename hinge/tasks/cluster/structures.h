// What makes clusters: one of four tasks that take the same pairs.
#pragma once

#include <string>
#include <vector>

#include "hinge/core/workspace.h"
#include "hinge/tasks/cluster/antecedent_task.h"
#include "hinge/tasks/cluster/cluster_task.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

using OneClusterTask = OneTask<ForestTask, AntecedentTask, CorrelationTask, PairwiseTask>;

// forest, antecedents, correlation or pairwise.
const std::vector<std::string>& cluster_structures();
OneClusterTask make_cluster_task(const std::string& structure, Index dimension, double link_penalty);

struct ClusterAnswer {
  Partition clusters;
  double loss = 0;  // of the structure that was found
  bool exact = true;
};

// Joint, or with antecedents marginal MAP.
template <class T>
ClusterAnswer find_clusters(const T& task, const Example<T>& example, Weights w, const Decoding& decoding) {
  const auto& [x, y, weight] = example;
  if constexpr (std::is_same_v<T, AntecedentTask>) {
    const Choices s = task.predict(x, w, decoding.latent_temperature);
    return {task.partition(x, s), task.loss(y, s), true};
  } else {
    Factored<T>& factored = scratch<Factored<T>, struct StructuresFactored>();
    const typename T::Structure s = factored.predict(task, x, w);
    return {task.partition(x, s), task.loss(y, s), factored.engine().answer().exact};
  }
}

}  // namespace hinge
