// Rows of positions, nodes and frames under a kernel (row_map.h): their features are all numbered.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "hinge/core/string_table.h"
#include "hinge/tasks/feature_rows.h"
#include "hinge/tasks/row_map.h"

namespace hinge {

double squared_norm(const SparseRow& row);
// Row t by itself; without the feature `apart`, whose place those behind it take.
SparseRow row_of(const FeatureRows& rows, std::size_t t, Index apart = StringTable::kNone);

std::shared_ptr<const RowMap> make_row_map(std::span<const SparseRow> rows, std::size_t features,
                                           const KernelOptions& options);
SparseRow mapped(const RowMap& map, const SparseRow& row);

// What a kernel became, among the facts of data; nothing where there is none.
void tell_map(const RowMap* map, nlohmann::json& facts);

}  // namespace hinge
