// What a rank tells of its sequences of frames (shared_records.h): the names of their classes, and how many channels
// there are.
#pragma once

#include "hinge/tasks/predictions.h"
#include "hinge/tasks/sequence_class/records.h"
#include "hinge/tasks/shared_records.h"

namespace hinge {

class ToldFrames {
 public:
  ToldFrames() = default;
  explicit ToldFrames(const FramesRecords& records)
      : classes_(texts_of(records.classes)),
        channels_(records.inputs.empty() ? 0 : records.inputs.front().channels) {}
  void keep(Snapshot& snapshot) { snapshot(classes_, channels_); }
  // Throws InputError where ranks have frames of different lengths.
  void add_to(FramesRecords& all) const {
    if (channels_ > 0) all.add({channels_, std::vector<float>(channels_)}, std::nullopt);
    for (const std::string& name : classes_) class_number(name, all.classes);
  }

 private:
  std::vector<std::string> classes_;
  std::size_t channels_ = 0;
};

}  // namespace hinge
