// What weights say of the answers of a task whose parts are nodes and edges of a graph, beside the best one: what each
// state of each node is worth at best (inference/graph_maxima.h), and the best k (inference/best_assignments.h).
#pragma once

#include "hinge/core/workspace.h"
#include "hinge/inference/best_assignments.h"
#include "hinge/inference/graph_maxima.h"
#include "hinge/oracle/factored.h"
#include "hinge/tasks/predictions.h"

namespace hinge {

// An engine of this thread that has the input's scores, where labels are given those of structures that keep to them.
template <FactoredTask T>
Factored<T>& scored_graph(const T& task, const typename T::Input& x, Weights w,
                          const typename T::Label* given) {
  Factored<T>& factored = scratch<Factored<T>, struct ScoredGraph>();
  factored.engine().settings = task.settings();
  task.score(x, w, factored.scores());
  if (given != nullptr) task.forbid(*given, factored.scores());
  return factored;
}

template <FactoredTask T>
void maxima_of(const T& task, const typename T::Input& x, Weights w, Vector& out,
               const typename T::Label* given = nullptr) {
  Factored<T>& factored = scored_graph(task, x, w, given);
  graph_maxima(factored.engine(), factored.scores(), out);
}

template <FactoredTask T>
std::vector<RankedLabels> best_labels_of(const T& task, const typename T::Input& x, Weights w, std::size_t k,
                                         const typename T::Label* given = nullptr) {
  Factored<T>& factored = scored_graph(task, x, w, given);
  std::vector<RankedLabels> ranked;
  for (auto& [s, score] : best_assignments(factored.engine(), factored.scores(), k).found)
    ranked.push_back({std::move(s), score});
  return ranked;
}

}  // namespace hinge
