// What a rank tells of its documents (shared_records.h): which kinds of values each field has, and the names of the
// features that the data gives for pairs.
#pragma once

#include <algorithm>
#include <map>

#include "hinge/tasks/cluster/records.h"
#include "hinge/tasks/predictions.h"
#include "hinge/tasks/shared_records.h"

namespace hinge {

class ToldDocuments {
 public:
  ToldDocuments() = default;
  explicit ToldDocuments(const ClusterRecords& records) : pair_features_(texts_of(records.pair_features)) {
    std::map<std::string, std::vector<Cell::Kind>> kinds;
    for (const ItemDocument& document : records.documents) {
      for (const ItemTable::Column& column : document.items.columns())
        for (const Cell& cell : column.cells)
          if (auto& there = kinds[column.field]; std::ranges::count(there, cell.kind) == 0)
            there.push_back(cell.kind);
      numbered_ = numbered_ || (document.items.items() > 0 && document.items.find(kOrder) == nullptr);
    }
    fields_.assign(kinds.begin(), kinds.end());
  }
  void keep(Snapshot& snapshot) { snapshot(pair_features_, fields_, numbered_); }

  // A document for each field, with an item for each kind of its values.
  void add_to(ClusterRecords& all) const {
    for (const std::string& name : pair_features_) all.pair_features.intern(name);
    for (const auto& [field, kinds] : fields_) {
      ItemTable items(kinds.size());
      items.set(0, kOrder, Cell());  // which the items of a document without it would have
      for (std::size_t k = 0; k < kinds.size(); ++k) {
        Cell cell;
        cell.kind = kinds[k];
        items.set(k, field, std::move(cell));
      }
      all.documents.emplace_back().items = std::move(items);
    }
    if (numbered_) all.documents.emplace_back().items = ItemTable(1);
  }

 private:
  static constexpr const char* kOrder = "order";
  std::vector<std::string> pair_features_;
  std::vector<std::pair<std::string, std::vector<Cell::Kind>>> fields_;
  bool numbered_ = false;  // whether items have the field `order` by their places
};

}  // namespace hinge
