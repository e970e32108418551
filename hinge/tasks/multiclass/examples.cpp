#include "hinge/tasks/multiclass/examples.h"

#include <nlohmann/json.hpp>

namespace hinge {

std::unique_ptr<MulticlassData> make_examples(const MulticlassSchema& schema, MulticlassRecords records) {
  ClassNames names(schema.classes(), records.classes);
  std::size_t entries = 0, hidden = 0, unseen_features = 0, unseen_labels = 0;
  if (schema.strings() && records.strings.size() != records.rows.size())
    fail("the model was learned from strings, and these examples are rows: give strings.");
  for (std::size_t i = 0; i < records.strings.size(); ++i)
    records.rows[i].input = (*schema.strings())(records.strings[i]);
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
  tell_map(schema.features(), facts);
  if (schema.strings()) {
    for (const char* of_rows : {"features", "entries", "unseen_features"}) facts.erase(of_rows);
    facts["kernel_features"] = schema.strings()->size();
    facts["kernel_rest"] = schema.strings()->rest();
  }
  if (!records.note.empty()) facts["note"] = std::move(records.note);
  return std::make_unique<MulticlassData>(std::make_unique<const MulticlassData::Records>(
      schema.task(), std::move(records.rows), std::move(facts), std::move(names)));
}

void MulticlassData::learn_by_products(double megabytes) {
  const RowMap* const map = records_->only().task().products();
  if (map == nullptr) return;
  const auto view = [this](std::size_t i) {
    const SparseRow& row = examples()[i].input;
    return RowMap::View{&row, squared_norm(row)};
  };
  Vector own;
  for (std::size_t i = 0; i < examples().size(); ++i) own.push_back(map->product_with_itself(view(i)));
  planes_.emplace(records_->oracle(), records_->only().task(), examples());
  gram_.emplace(
      *planes_, std::move(own),
      [map, view](std::size_t i, std::span<float> out) {
        Vector& row = scratch<Vector, struct ProductsOfClasses>();
        row.resize(out.size());
        map->products(view(i), row);
        std::ranges::copy(row, out.begin());
      },
      static_cast<std::size_t>(megabytes * 1e6));
}

}  // namespace hinge
