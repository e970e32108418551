// What training fixes about folds, all of it by options and the file of energies that one of them names.
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
    if (std::ranges::none_of(records, has_known_fold))
      fail_at(records.empty() ? RecordPlace() : records[0].place,
              "no sequence has a known fold: give structures, in which not every symbol is '?'.");
  }
  explicit FoldSchema(const FoldModel& options)
      : FoldSchema(options, [&] { return EnergyFile::read(options.energies); }) {}
  FoldSchema(const Archive& archive, const FoldOptions& options)
      : FoldSchema(options.model, [&] { return EnergyFile(archive); }) {}
  void save(Archive& archive) const {  // options are kept
    if (task_->energies() != nullptr) task_->energies()->file.save(archive);
  }

  const std::shared_ptr<const FoldTask>& task() const { return task_; }
  Index dimension() const { return task_->dimension(); }
  std::string feature_name(Index weight) const { return task_->feature_name(weight); }

 private:
  template <class File>
  FoldSchema(const FoldModel& options, const File& file)
      : task_(std::make_shared<const FoldTask>(
            PartWeights::level(options.features), static_cast<std::size_t>(options.max_loop),
            options.energies.empty() ? nullptr : std::make_shared<const FoldEnergies>(file()))) {}

  std::shared_ptr<const FoldTask> task_;
};

}  // namespace hinge
