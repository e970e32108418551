#include "hinge/tasks/row_features.h"

#include <cmath>

#include "hinge/tasks/mapped_rows.h"

namespace hinge {

RowFeatures::RowFeatures(const Archive& archive, Bias kept)
    : used_(archive.get<Index>("features")), bias_(0) {
  const auto bias = kept == Bias::yes ? archive.get<double>("bias") : std::vector<double>{0};
  if (bias.size() != 1 || !std::isfinite(bias[0]) ||
      !std::ranges::is_sorted(used_.indices(), std::ranges::less_equal()))
    fail("the model's features do not fit together: train the model again.");
  bias_ = bias[0];
  if (archive.arrays.contains("kernel")) map_ = std::make_shared<const RowMap>(archive, used_.size());
}

void RowFeatures::save(Archive& archive) const {
  archive.arrays["features"] = used_.indices();
  archive.arrays["bias"] = std::vector<double>{bias_};
  if (map_) map_->save(archive);
}

void RowFeatures::make_map(std::vector<SparseRow> rows, const KernelOptions& kernel) {
  std::vector<RowMap::View> views;
  for (SparseRow& row : rows) {
    used_.renumber(row);
    views.push_back({&row, squared_norm(row)});
  }
  map_ = std::make_shared<const RowMap>(views, used_.size(), kernel, bias_);
}

std::size_t RowFeatures::renumber(SparseRow& row) const {
  const double norm = map_ ? squared_norm(row) : 0;
  const std::size_t unseen = used_.renumber(row);
  if (products()) {
    // What training never saw is one more feature, which no other row has.
    if (const double rest = norm - squared_norm(row); unseen > 0 && rest > 0) {
      row.index.push_back(static_cast<Index>(used_.size()));
      row.value.push_back(static_cast<float>(std::sqrt(rest)));
    }
    return unseen;
  }
  if (map_) row = (*map_)({&row, norm});
  if (bias_ != 0) {
    row.index.push_back(mapped());
    row.value.push_back(static_cast<float>(bias_));
  }
  return unseen;
}

void tell_map(const RowFeatures& features, nlohmann::json& facts) { tell_map(features.map(), facts); }

}  // namespace hinge
