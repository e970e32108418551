// What training fixes about sequences with a motif, all of it by options: the alphabet and the shape of the
// motif.
#pragma once

#include <memory>

#include "hinge/core/archive.h"
#include "hinge/tasks/motif/options.h"
#include "hinge/tasks/motif/records.h"

namespace hinge {

class MotifSchema {
 public:
  // Throws InputError where the options make no motif.
  explicit MotifSchema(const MotifModel& options);
  // Throws InputError besides where the records teach nothing.
  MotifSchema(const MotifRecords& records, const MotifOptions& options);
  MotifSchema(const Archive&, const MotifOptions& options) : MotifSchema(options.model) {}
  void save(Archive&) const {}  // options are kept

  const std::shared_ptr<const MotifTask>& task() const { return task_; }
  Index dimension() const { return task_->dimension(); }
  std::string feature_name(Index weight) const;

 private:
  std::shared_ptr<const MotifTask> task_;
};

}  // namespace hinge
