// How good predicted classes of a taxonomy are: what ClassMetrics tells, where an answer below the label is
// right, and besides
//
//     tree_loss      mean of half the number of edges between label and answer, whatever the model's loss
//     top_accuracy   the share of answers that stand below the same class at the top as the label
#pragma once

#include <map>

#include "hinge/tasks/class_metrics.h"
#include "hinge/tasks/taxonomy/class_tree.h"
#include "hinge/tasks/taxonomy/taxonomy.h"

namespace hinge {

class TaxonomyMetrics {
 public:
  TaxonomyMetrics(const TaxonomyTask& task, const ClassTree& tree) : task_(task), tree_(tree) {}

  // `name`: of a class that is not in the tree.
  void add(const TaxonLabel& truth, const std::string& name, Index answer);
  nlohmann::json json() const;

 private:
  Index number(std::string_view name);
  Index top(Index node) const;

  const TaxonomyTask& task_;
  const ClassTree& tree_;
  ClassMetrics metrics_;
  std::vector<std::string> names_;  // those that were true or answered somewhere
  std::map<std::string, Index, std::less<>> numbers_;
  std::size_t labelled_ = 0, top_right_ = 0;
  double tree_loss_ = 0;
};

// The same for people.
std::string taxonomy_report(const nlohmann::json& metrics);

}  // namespace hinge
