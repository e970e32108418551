#include "hinge/tasks/row_products.h"

#include <algorithm>
#include <numeric>

#include "hinge/core/workspace.h"

namespace hinge {

SparseRow row_of_products(const RowProducts& products, const SparseRow& x) {
  Vector& out = scratch<Vector, struct RowOfProducts>();
  out.resize(products.size());
  products.products(x, out);
  SparseRow row{std::vector<Index>(out.size()), {out.begin(), out.end()}};
  std::iota(row.index.begin(), row.index.end(), Index{0});
  return row;
}

std::vector<bool> keep_weighed(std::size_t states, Vector& weights) {
  std::vector<bool> kept(weights.size() / states);
  for (std::size_t a = 0; a < kept.size(); ++a)
    kept[a] = std::any_of(weights.begin() + static_cast<std::ptrdiff_t>(a * states),
                          weights.begin() + static_cast<std::ptrdiff_t>((a + 1) * states),
                          [](double w) { return w != 0; });
  if (std::ranges::find(kept, true) == kept.end()) kept.back() = true;
  std::size_t end = 0;
  for (std::size_t j = 0; j < weights.size(); ++j)
    if (kept[j / states]) weights[end++] = weights[j];
  weights.resize(end);
  return kept;
}

void number_features(Archive& archive, std::size_t count) {
  std::vector<Index> features(count);
  std::iota(features.begin(), features.end(), Index{1});
  archive.arrays["features"] = std::move(features);
}

}  // namespace hinge
