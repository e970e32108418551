// Predictions of a first-order chain that keep to what is known of the labels:
//
//     max over y of  score(y) − Σ over features k with φ_k(y) = 0 of cost[rule of k]
//
// where an infinite cost excludes. It is exact but where rules about the whole have too many states together
// (inference/guided_chain.h).
#pragma once

#include <memory>
#include <vector>

#include "hinge/inference/constraints.h"
#include "hinge/tasks/labels.h"
#include "hinge/tasks/sequence/sequence_task.h"

namespace hinge {

class RuleGuide {
 public:
  // A cost for each rule; those of cost 0 take no part.
  RuleGuide(std::shared_ptr<const Knowledge> knowledge, std::vector<double> costs);

  std::size_t size() const { return examples_.size(); }
  // The labelling of example `i`, whose input is x. Throws InputError where no labelling is found that keeps
  // every rule of infinite cost.
  Labels best(const SequenceTask& task, const Sequence& x, Weights w, std::size_t i) const;

 private:
  std::shared_ptr<const Knowledge> knowledge_;
  std::vector<double> costs_;
  std::vector<Constraints> examples_;  // with the features that cost something
};

}  // namespace hinge
