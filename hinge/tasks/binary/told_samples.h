// What a rank tells of its samples (shared_records.h): the names of their classes, and which features there are.
#pragma once

#include "hinge/tasks/binary/records.h"
#include "hinge/tasks/predictions.h"
#include "hinge/tasks/shared_records.h"

namespace hinge {

class ToldSamples {
 public:
  ToldSamples() = default;
  explicit ToldSamples(const BinaryRecords& records) : classes_(texts_of(records.classes)) {
    FeaturesUsed used;
    for (const SampleRecord& sample : records.samples)
      for (const SparseRow& row : sample.rows) used.add(row);
    features_ = used.row().index;
  }
  void keep(Snapshot& snapshot) { snapshot(classes_, features_); }

  void add_to(BinaryRecords& all) const {
    all.add({features_, std::vector<float>(features_.size(), 1)}, std::nullopt);
    for (const std::string& name : classes_) class_number(name, all.classes);
  }

 private:
  std::vector<std::string> classes_;
  std::vector<Index> features_;
};

}  // namespace hinge
