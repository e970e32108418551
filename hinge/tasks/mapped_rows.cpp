#include "hinge/tasks/mapped_rows.h"

#include <nlohmann/json.hpp>

namespace hinge {

double squared_norm(const SparseRow& row) {
  double sum = 0;
  for (const float v : row.value) sum += static_cast<double>(v) * static_cast<double>(v);
  return sum;
}

SparseRow row_of(const FeatureRows& rows, std::size_t t, Index apart) {
  SparseRow row;
  for (std::size_t k = rows.start[t]; k < rows.start[t + 1]; ++k) {
    const Index feature = rows.attribute[k];
    if (feature == apart) continue;
    row.index.push_back(feature > apart ? feature - 1 : feature);
    row.value.push_back(rows.value_of(k));
  }
  return row;
}

std::shared_ptr<const RowMap> make_row_map(std::span<const SparseRow> rows, std::size_t features,
                                           const KernelOptions& options) {
  options.require_map();
  std::vector<RowMap::View> views;
  views.reserve(rows.size());
  for (const SparseRow& row : rows) views.push_back({&row, squared_norm(row)});
  return std::make_shared<const RowMap>(views, features, options);
}

SparseRow mapped(const RowMap& map, const SparseRow& row) { return map({&row, squared_norm(row)}); }

void tell_map(const RowMap* map, nlohmann::json& facts) {
  if (map == nullptr) return;
  facts["kernel_features"] = map->size();
  if (map->is_none()) return;
  if (const auto rest = map->rest()) facts["kernel_rest"] = *rest;
}

}  // namespace hinge
