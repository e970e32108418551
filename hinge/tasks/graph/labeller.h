// What a trained task says of a graph: labels, and where they are asked for marginals and the score.
#pragma once

#include "hinge/inference/best_assignments.h"
#include "hinge/oracle/decoding.h"
#include "hinge/oracle/task.h"
#include "hinge/tasks/graph/graph_task.h"
#include "hinge/tasks/graph/options.h"

namespace hinge {

class GraphLabeller {
 public:
  // All must outlive it.
  GraphLabeller(const GraphTask& task, const GraphSchema& schema, const Decoding& decoding)
      : task_(task), schema_(schema), decoding_(decoding) {}

  GraphAnswer answer(const Example<GraphTask>& example, Weights w, const GraphOutput& asked) const;

  // graph_maxima.h, best_assignments.h; of those with the labels that are given
  void maxima(const GraphInput& x, Weights w, Vector& out, const Labels* given = nullptr) const;
  BestAssignments best(const GraphInput& x, Weights w, std::size_t k, const Labels* given = nullptr) const;

 private:
  double score_of(const GraphInput& x, const Assignment& s, Weights w) const;

  const GraphTask& task_;
  const GraphSchema& schema_;
  const Decoding& decoding_;
};

}  // namespace hinge
