#include "hinge/tasks/multilabel/examples.h"

#include <nlohmann/json.hpp>

namespace hinge {

std::unique_ptr<Data> make_examples(const MultilabelSchema& schema, MultilabelRecords records) {
  std::vector<Example<MultilabelTask>> examples;
  UnseenLabels unseen;
  std::size_t unknown = 0, unseen_labels = 0, unseen_features = 0;
  for (LabelSetRecord& record : records.rows) {
    LabelSet set = schema.set_of(record, records.labels);
    unknown += static_cast<std::size_t>(std::ranges::count(set.states, kUnknown));
    unseen_labels += set.unseen;
    unseen.emplace_back();
    for (const Index name : record.present)
      if (const auto text = records.labels.text(name); schema.labels().find(text) == StringTable::kNone)
        unseen.back().emplace_back(text);
    unseen_features += schema.features().renumber(record.row);
    examples.push_back({std::move(record.row), std::move(set), record.weight});
  }
  nlohmann::json facts = {{"examples", examples.size()},
                          {"labels", schema.labels().size()},
                          {"pairs", schema.task()->graph().edges()},
                          {"features", schema.features().size()},
                          {"unknown_labels", unknown},
                          {"unseen_labels", unseen_labels},
                          {"unseen_features", unseen_features}};
  tell_map(schema.features(), facts);
  return std::make_unique<MultilabelData>(schema.task(), std::move(examples), std::move(facts),
                                          std::move(unseen));
}

}  // namespace hinge
