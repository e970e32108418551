// What training fixes about rows of classes: the classes and what they cost, the features, and their names.
#pragma once

#include <memory>

#include "hinge/core/archive.h"
#include "hinge/tasks/input_features.h"
#include "hinge/tasks/multiclass/options.h"
#include "hinge/tasks/multiclass/records.h"

namespace hinge {

class MulticlassSchema {
 public:
  MulticlassSchema(const MulticlassRecords& records, const MulticlassOptions& options);
  MulticlassSchema(const Archive& archive, const MulticlassOptions&);
  void save(Archive& archive) const;

  const StringTable& classes() const { return classes_; }
  const InputFeatures& features() const { return features_; }
  const std::shared_ptr<const MulticlassTask>& task() const { return task_; }
  Index dimension() const { return task_->dimension(); }
  std::string feature_name(Index weight) const;

 private:
  std::vector<double> fix_classes(const StringTable& labels, const std::string& cost_matrix);
  void read_feature_names(const std::string& file);
  MulticlassTask::Sets sets_of(const MulticlassRecords& records) const;
  void make_task(std::vector<double> costs, MulticlassTask::Sets sets = {});

  StringTable classes_;
  InputFeatures features_;
  StringTable names_;                // of features, each once
  std::vector<Index> feature_name_;  // the name of each feature; empty when there are none
  std::shared_ptr<const MulticlassTask> task_;
};

// Multiplies the weights of the rows as `class_weights` says: CLASS:W for some, or 'balanced'.
void weigh_classes(const std::vector<std::string>& class_weights, MulticlassRecords& records);

}  // namespace hinge
