// Draws assignments of a graph from p(s) ∝ exp(score(s)), exactly: nodes are eliminated once, each draw then
// costs a look at one column of a table a node.
#pragma once

#include "hinge/core/random.h"
#include "hinge/inference/elimination.h"

namespace hinge {

class GraphSampler {
 public:
  // Throws InputError when the graph is so wide that elimination's tables would have more than `max_cells`
  // cells. No node is observed. The scores must outlive the sampler.
  explicit GraphSampler(const GraphScores& scores, std::size_t max_cells = std::size_t{1} << 24);

  Assignment draw(Random& random) const;

 private:
  const GraphScores& scores_;
  std::shared_ptr<const GraphPlan> plan_;
  Vector unary_;
  Elimination elimination_;
};

}  // namespace hinge
