// What training fixes about folds, all of it by options.
#pragma once

#include <algorithm>
#include <memory>

#include "hinge/core/archive.h"
#include "hinge/tasks/fold/fold_task.h"
#include "hinge/tasks/fold/options.h"

namespace hinge {

class FoldSchema {
 public:
  // Throws InputError where no fold is known.
  FoldSchema(const FoldRecords& records, const FoldOptions& options) : FoldSchema(options.model) {
    if (std::ranges::none_of(records, [](const FoldRecord& r) { return !r.partners.empty(); }))
      fail("no sequence has a known fold: give structures too.");
  }
  explicit FoldSchema(const FoldModel& options)
      : task_(std::make_shared<const FoldTask>(PartWeights::level(options.features),
                                               static_cast<std::size_t>(options.max_loop))) {}
  FoldSchema(const Archive&, const FoldOptions& options) : FoldSchema(options.model) {}
  void save(Archive&) const {}  // options are kept

  const std::shared_ptr<const FoldTask>& task() const { return task_; }
  Index dimension() const { return task_->dimension(); }
  std::string feature_name(Index weight) const { return task_->feature_name(weight); }

 private:
  std::shared_ptr<const FoldTask> task_;
};

}  // namespace hinge
