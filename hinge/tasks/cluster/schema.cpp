#include "hinge/tasks/cluster/schema.h"

#include <nlohmann/json.hpp>

#include "hinge/core/errors.h"

namespace hinge {

ClusterSchema::ClusterSchema(ChosenComparators comparators, StringTable features, const ClusterModel& options)
    : comparators_(std::move(comparators)), features_(std::move(features)) {
  make_task(options);
}

// A model keeps the comparators that were chosen where it would keep those that were asked for.
ClusterSchema::ClusterSchema(const Archive& archive, const ClusterOptions& options)
    : comparators_{options.model.comparators, {}} {
  features_.load(archive, "pair_features");
  parse_comparators(comparators());
  make_task(options.model);
}

void ClusterSchema::save(Archive& archive) const {
  features_.save(archive, "pair_features");
  archive.header["cluster"]["comparators"] = comparators();
}

void ClusterSchema::make_task(const ClusterModel& options) {
  if (features_.size() > kMaxDimension)
    fail("there are {} features, but {} at most can be: use fewer comparators.", features_.size(),
         kMaxDimension);
  task_ = make_cluster_task(options.structure, dimension(), options.link_penalty);
}

}  // namespace hinge
