#include "hinge/tasks/align/schema.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace hinge {
namespace {

std::shared_ptr<const AlignTask> make(const AlignModel& options, bool structure) {
  return std::make_shared<const AlignTask>(
      AlignTask::Shape{&Alphabet::named(options.alphabet), static_cast<std::size_t>(options.window),
                       structure, options.mode == "local", options.tolerance});
}

}  // namespace

AlignSchema::AlignSchema(const AlignRecords& records, const AlignOptions& options) {
  if (std::ranges::none_of(records, has_known_columns))
    fail_at(
        records.empty() ? RecordPlace() : records[0].place,
        "no pair of sequences has a reference alignment: give rows of one length with gaps, some columns of "
        "which are known.");
  const bool has_structure = std::ranges::any_of(
      records, [](const AlignRecord& r) { return !r.structure1.empty() || !r.structure2.empty(); });
  task_ = make(options.model, options.model.structure == "use" && has_structure);
}

AlignSchema::AlignSchema(const Archive& archive, const AlignOptions& options)
    : task_(make(options.model, archive.header.at("secondary_structure").get<bool>())) {}

void AlignSchema::save(Archive& archive) const {
  archive.header["secondary_structure"] = task_->shape().structure;
}

}  // namespace hinge
