#include "hinge/tasks/cluster/document.h"

#include "hinge/core/clones.h"
#include "hinge/core/kernels.h"
#include "hinge/core/workspace.h"

namespace hinge {
namespace {

HINGE_CLONES void spread(double* out, const double* of_row, const Index* row, std::size_t pairs) {
  for (std::size_t p = 0; p < pairs; ++p) out[p] = of_row[row[p]];
}

// Four sums at once, for each waits for its last addition.
double sum_of(std::span<const Index> row, const double* w) {
  double sum[4] = {};
  std::size_t k = 0;
  for (; k + 4 <= row.size(); k += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) sum[lane] += w[row[k + lane]];
  for (; k < row.size(); ++k) sum[0] += w[row[k]];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace

PairFeatures::Sums& PairFeatures::of_thread() {
  Sums& sums = scratch<Sums, struct DocumentSums>();
  return sums;
}

void score_pairs(const Document& x, Weights w, std::span<double> out) {
  Vector& of_row = scratch<Vector, struct DocumentOfRow>();
  of_row.resize(x.rows.length());
  for (std::size_t r = 0; r < of_row.size(); ++r) {
    const std::span<const Index> row = x.rows.attributes(r);
    const float* value = x.rows.values(r);
    of_row[r] = value == nullptr ? sum_of(row, w.data())
                                 : kernels::sparse_dot(row.data(), value, row.size(), w.data());
  }
  spread(out.data(), of_row.data(), x.row_of.data(), x.row_of.size());
}

std::span<const double> PairFeatures::add_up(Index dimension) const {
  if (dimension > x_.rows.attribute.size()) return {};
  sums_.features.assign(dimension, 0.0);
  for (std::size_t r = 0; r < x_.rows.length(); ++r) {
    const double amount = sums_.rows[r];
    if (amount == 0) continue;
    for (std::size_t k = x_.rows.start[r]; k < x_.rows.start[r + 1]; ++k)
      sums_.features[x_.rows.attribute[k]] += amount * x_.rows.value_of(k);
  }
  return sums_.features;
}

}  // namespace hinge
