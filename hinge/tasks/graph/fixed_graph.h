// What training fixes, and the task that has weights for it.
#pragma once

#include "hinge/tasks/graph/graph_task.h"
#include "hinge/tasks/graph/options.h"

namespace hinge {

class FixedGraph {
 public:
  // Throws InputError where the options ask for inference that such graphs have not.
  FixedGraph(GraphSchema schema, const GraphOptions& options);
  FixedGraph(const Archive& archive, const GraphOptions& options);
  void save(Archive& archive) const { schema_.save(archive); }

  const GraphSchema& schema() const { return schema_; }
  const StringTable& labels() const { return schema_.labels; }
  const std::shared_ptr<const GraphTask>& task() const { return task_; }
  Index dimension() const { return task_->dimension(); }
  std::string feature_name(Index weight) const { return schema_.weight_name(weight); }

 private:
  void require_cuts() const;
  void make_task(const GraphOptions& options);

  GraphSchema schema_;
  std::shared_ptr<const GraphTask> task_;
};

}  // namespace hinge
