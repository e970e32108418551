#include "hinge/tasks/motif/schema.h"

#include <cmath>

namespace hinge {

MotifSchema::MotifSchema(const MotifModel& options) {
  if (options.length.size() != 1)
    fail("several lengths are for `hinge cross-validate`, which says which is best: give one `length`.");
  const double length = options.length.front();
  if (length != std::floor(length)) fail("`length` is {:g}, but must be a whole number.", length);
  const Alphabet& alphabet = Alphabet::named(options.alphabet);
  const bool both = options.strands == "both";
  if (both && !alphabet.has_strands()) fail("`strands` both is for DNA: a protein has one strand.");
  task_ = std::make_shared<MotifTask>(
      alphabet, MotifTask::Shape{static_cast<std::size_t>(length),
                                 static_cast<std::size_t>(options.background_order), both});
}

MotifSchema::MotifSchema(const MotifRecords& records, const MotifOptions& options)
    : MotifSchema(options.model) {
  if (!has_class(records, true))
    fail("no sequence is known to hold the motif: give some as `positive` F, or with label 1.");
  if (!has_class(records, false))
    fail("no sequence is known to be without the motif: give some as `negative` F, or with label -1.");
}

std::string MotifSchema::feature_name(Index weight) const {
  if (weight >= task_->background()) return "background " + task_->background_letters(weight);
  const std::size_t size = task_->alphabet().size();
  return fmt::format("{} at {}", task_->alphabet().letters()[weight % size], weight / size + 1);
}

}  // namespace hinge
