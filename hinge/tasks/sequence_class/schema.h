// What training fixes about sequences of frames: the classes, how frames are prepared, and what a kernel makes of
// each of them then.
#pragma once

#include <memory>

#include "hinge/tasks/sequence_class/options.h"
#include "hinge/tasks/sequence_class/records.h"
#include "hinge/tasks/sequence_class/sequence_class.h"

namespace hinge {

class SequenceClassSchema {
 public:
  // `frames` are those that channels are brought to one scale by, where they are others than the records have.
  SequenceClassSchema(const FramesRecords& records, const SequenceClassOptions& options,
                      const FramesOfAll& frames);
  SequenceClassSchema(const FramesRecords& records, const SequenceClassOptions& options)
      : SequenceClassSchema(records, options, FramesOfAll{records.inputs, nullptr}) {}
  SequenceClassSchema(const Archive& archive, const SequenceClassOptions& options);
  void save(Archive& archive) const;

  const StringTable& classes() const { return classes_; }
  const Preparation& preparation() const { return preparation_; }
  const RowMap* map() const { return map_.get(); }
  // Makes frames of a record those that are scored.
  void prepare(Frames& x) const;
  const std::shared_ptr<const SequenceClassTask>& task() const { return task_; }
  Index dimension() const { return task_->dimension(); }
  std::string feature_name(Index weight) const;

 private:
  void make_map(const FramesRecords& records, const KernelOptions& options);
  void make_task(const SequenceClassModel& options);

  StringTable classes_;
  Preparation preparation_;
  std::shared_ptr<const RowMap> map_;  // null where there is no kernel
  std::shared_ptr<const SequenceClassTask> task_;
};

}  // namespace hinge
