#include "hinge/tasks/multiclass/examples.h"

#include <nlohmann/json.hpp>

namespace hinge {

std::unique_ptr<MulticlassData> make_examples(const MulticlassSchema& schema, MulticlassRecords records) {
  ClassNames names(schema.classes(), records.classes);
  std::size_t entries = 0, hidden = 0, unseen_features = 0, unseen_labels = 0;
  schema.features().make_rows(records, records.rows, input_of);
  for (auto& [row, label, weight] : records.rows) {
    entries += row.index.size();
    unseen_features += schema.features().renumber(row);
    label = names[label];
    hidden += label == kHiddenClass;
    unseen_labels += label >= static_cast<int>(schema.classes().size());
  }
  nlohmann::json facts = {{"examples", records.rows.size()},
                          {"classes", schema.classes().size()},
                          {"features", schema.features().used().size()},
                          {"entries", entries},
                          {"unlabelled", hidden},
                          {"unseen_labels", unseen_labels},
                          {"unseen_features", unseen_features}};
  tell_features(schema.features(), facts);
  if (!records.note.empty()) facts["note"] = std::move(records.note);
  return std::make_unique<MulticlassData>(std::make_unique<const MulticlassData::Records>(
      schema.task(), std::move(records.rows), std::move(facts), std::move(names)));
}

}  // namespace hinge
