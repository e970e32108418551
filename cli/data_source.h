// Data files that are read several times, by tasks that are made anew with the same options. What is learned
// from a part of them and measured on the rest is what `hinge train` on a file of the one and `hinge
// evaluate` on a file of the other give, bit for bit.
#pragma once

#include <optional>

#include "cli/files.h"
#include "hinge/training/cross_validate.h"
#include "hinge/training/model.h"

namespace hinge {

class DataSource {
 public:
  // `task` has its options set. Keeps standard input where the plan reads that.
  DataSource(AnyTask& task, std::vector<std::string> files, const FilePlan& plan);

  struct Training {
    std::unique_ptr<AnyTask> task;
    std::unique_ptr<Data> data;
  };
  // `variant`: see HasVariants; `reading`: whose threads may read.
  Training train(const Selection& selection, std::optional<std::size_t> variant,
                 Executor* reading = nullptr) const;
  // As `evaluate` reads: the task as it comes out of a model file, and its flags of reading.
  Training later(const AnyTask& trained, const Selection& selection) const;

  // How a part is held out: predictions follow training at that temperature of what is hidden, weights go on
  // from `init` where it has a task, and the part must have the metric. The source, the model and the
  // executor must outlive it.
  HoldOut hold_out(std::optional<std::size_t> variant, double latent_temperature, const Model& init,
                   std::string metric, Executor& executor) const;

 private:
  void rewind() const;

  std::string task_;
  JsonValue options_;
  std::vector<std::string> files_;
  bool standard_input_;
};

// What there is to hold out of: examples or rows, and groups of them.
FoldPlan parts_of(const AnyTask& task, const Data& data);

// Throws InputError that lists the metrics of the data when there is none of that name; before anything is
// learned, on the data that will select.
void require_metric(const AnyTask& task, const Data& data, const std::string& name, Executor& executor);

}  // namespace hinge
