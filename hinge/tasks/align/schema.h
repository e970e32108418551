// What training fixes about alignments: the options, and whether its data has secondary structure.
#pragma once

#include <memory>

#include "hinge/core/archive.h"
#include "hinge/tasks/align/align_task.h"
#include "hinge/tasks/align/options.h"

namespace hinge {

class AlignSchema {
 public:
  // Throws InputError where no alignment is known.
  AlignSchema(const AlignRecords& records, const AlignOptions& options);
  AlignSchema(const Archive& archive, const AlignOptions& options);
  void save(Archive& archive) const;

  const std::shared_ptr<const AlignTask>& task() const { return task_; }
  Index dimension() const { return task_->dimension(); }
  std::string feature_name(Index weight) const { return task_->feature_name(weight); }

 private:
  std::shared_ptr<const AlignTask> task_;
};

}  // namespace hinge
