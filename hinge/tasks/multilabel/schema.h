// What training fixes about label sets: the labels, the pairs of them that have weights, and the features.
#pragma once

#include <memory>

#include "hinge/tasks/multilabel/multilabel.h"
#include "hinge/tasks/multilabel/options.h"
#include "hinge/tasks/multilabel/records.h"
#include "hinge/tasks/row_features.h"

namespace hinge {

class MultilabelSchema {
 public:
  MultilabelSchema(const MultilabelRecords& records, const MultilabelOptions& options);
  MultilabelSchema(const Archive& archive, const MultilabelOptions& options);
  void save(Archive& archive) const;

  const StringTable& labels() const { return labels_; }
  const RowFeatures& features() const { return features_; }
  const std::shared_ptr<const MultilabelTask>& task() const { return task_; }
  Index dimension() const { return task_->dimension(); }
  std::string feature_name(Index weight) const;

  // What a record says of the labels of this schema.
  LabelSet set_of(const LabelSetRecord& record, const StringTable& names) const;

 private:
  void make_task(std::vector<Graph::Edge> pairs, const MultilabelOptions& options);

  StringTable labels_;
  RowFeatures features_;
  std::shared_ptr<const MultilabelTask> task_;
};

}  // namespace hinge
