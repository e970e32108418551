// What training fixes about a taxonomy: its classes, what they cost, the features, and which pairs of both have
// a weight.
#pragma once

#include "hinge/tasks/input_features.h"
#include "hinge/tasks/taxonomy/class_tree.h"
#include "hinge/tasks/taxonomy/options.h"
#include "hinge/tasks/taxonomy/records.h"
#include "hinge/tasks/taxonomy/taxonomy.h"

namespace hinge {

class TaxonomySchema {
 public:
  TaxonomySchema(const TaxonomyRecords& records, const TaxonomyOptions& options);
  TaxonomySchema(const Archive& archive, const TaxonomyOptions& options);
  void save(Archive& archive) const;

  const ClassTree& tree() const { return tree_; }
  const InputFeatures& features() const { return features_; }
  const std::shared_ptr<const TaxonomyTask>& task() const { return task_; }
  Index dimension() const { return task_->dimension(); }
  std::string feature_name(Index weight) const;

  // What a class of the records is here.
  TaxonLabel label_of(int number, const TaxonomyRecords& records) const;

 private:
  std::vector<double> read_costs(const std::string& file) const;
  NodeWeights choose_weights(const TaxonomyRecords& records, const std::string& which) const;
  void make_task(NodeWeights weights, std::vector<double> costs, const std::string& loss);

  ClassTree tree_;
  InputFeatures features_;
  std::shared_ptr<const TaxonomyTask> task_;
};

}  // namespace hinge
