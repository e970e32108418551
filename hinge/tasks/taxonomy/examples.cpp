#include "hinge/tasks/taxonomy/examples.h"

#include <nlohmann/json.hpp>

namespace hinge {

std::unique_ptr<TaxonomyData> make_examples(const TaxonomySchema& schema, TaxonomyRecords records) {
  const TaxonomyTask& task = *schema.task();
  schema.features().make_rows(records, records.rows, input_of);
  std::vector<Example<TaxonomyTask>> examples;
  UnseenNames names;
  std::size_t hidden = 0, open = 0, unseen_labels = 0, unseen_features = 0;
  for (auto& [row, number, weight] : records.rows) {
    const TaxonLabel y = schema.label_of(number, records);
    names.emplace_back(y.unseen > 0 ? records.classes.text(static_cast<Index>(number)) : "");
    hidden += y.node < 0;
    unseen_labels += y.unseen > 0;
    open += y.node >= 0 && y.unseen == 0 && !task.determined(y);
    unseen_features += schema.features().renumber(row);
    examples.push_back({std::move(row), y, weight});
  }
  nlohmann::json facts = {{"examples", examples.size()},
                          {"classes", task.hierarchy().size() - 1},
                          {"answers", task.hierarchy().answers().size()},
                          {"features", schema.features().size()},
                          {"unlabelled", hidden},
                          {"labels_above_the_answers", open},
                          {"unseen_labels", unseen_labels},
                          {"unseen_features", unseen_features}};
  if (schema.tree().of_file()) facts["classes_at_the_top"] = schema.tree().at_the_top();
  tell_features(schema.features(), facts);
  if (!records.note.empty()) facts["note"] = std::move(records.note);
  return std::make_unique<TaxonomyData>(std::make_unique<const TaxonomyData::Records>(
      schema.task(), std::move(examples), std::move(facts), std::move(names)));
}

}  // namespace hinge
