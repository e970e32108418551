#include "hinge/tasks/motif/examples.h"

#include <nlohmann/json.hpp>

namespace hinge {

std::unique_ptr<Data> make_examples(const MotifSchema& schema, const MotifModel& options,
                                    MotifRecords records) {
  const MotifTask& task = *schema.task();
  std::vector<Example<MotifTask>> examples(records.size());
  std::vector<std::string> names(records.size());
  std::size_t count[2] = {}, letters = 0, ambiguous = 0, background = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    MotifRecord record = std::move(records[i]);
    auto& [x, y, weight] = examples[i];
    if (record.letters.size() < task.shape().length) fail("{}", too_short(record, task.shape().length));
    letters += record.letters.size();
    x = task.sequence(symbols_of(record, task.alphabet()));
    y = task.label(record.has_motif ? int{*record.has_motif} : MotifLabel::kHidden, x);
    if (y.value == MotifLabel::kNegative) weight *= options.negative_weight;
    weight *= record.weight;
    if (record.background_only) weight *= options.background_weight;
    if (y.value != MotifLabel::kHidden) ++count[y.value];
    ambiguous += x.ambiguous;
    background += record.background_only;
    names[i] = std::move(record.name);
  }
  nlohmann::json facts = {{"sequences", examples.size()},
                          {"letters", letters},
                          {"with_the_motif", count[MotifLabel::kPositive]},
                          {"without_it", count[MotifLabel::kNegative]},
                          {"of_unknown_class", examples.size() - count[0] - count[1]}};
  if (ambiguous > 0) facts["with_ambiguous_letters"] = ambiguous;
  if (background > 0 && options.background_weight != 1) facts["for_the_background_alone"] = background;
  return std::make_unique<MotifData>(schema.task(), std::move(examples), std::move(facts), std::move(names));
}

}  // namespace hinge
