#include "hinge/tasks/sequence_class/examples.h"

#include <nlohmann/json.hpp>

#include "hinge/tasks/mapped_rows.h"

namespace hinge {

std::unique_ptr<Data> make_examples(const SequenceClassSchema& schema, FramesRecords records) {
  const std::size_t channels = schema.preparation().channels();
  ClassNames names(schema.classes(), records.classes);
  std::vector<Example<SequenceClassTask>> examples(records.inputs.size());
  std::size_t frames = 0, hidden = 0, unseen_labels = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    Frames& x = records.inputs[i];
    if (x.channels != channels)
      fail("sequence {} has {} channels, where training had {}.", i, x.channels, channels);
    frames += x.length();
    examples[i].label = {names[records.labels[i]], x.length()};
    schema.prepare(x);
    examples[i].input = std::move(x);
    examples[i].weight = records.weight(i);
    hidden += examples[i].label.value == SequenceClass::kHidden;
    unseen_labels += examples[i].label.value >= static_cast<int>(schema.classes().size());
  }
  nlohmann::json facts = {{"sequences", examples.size()},
                          {"frames", frames},
                          {"channels", channels},
                          {"classes", schema.classes().size()}};
  tell_map(schema.map(), facts);
  if (hidden > 0) facts["sequences_without_a_class"] = hidden;
  if (unseen_labels > 0) facts["sequences_of_a_class_unseen_in_training"] = unseen_labels;
  return std::make_unique<FramesData>(schema.task(), std::move(examples), std::move(facts), std::move(names));
}

}  // namespace hinge
