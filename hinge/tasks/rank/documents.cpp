#include "hinge/tasks/rank/documents.h"

#include <numeric>

#include "hinge/core/clones.h"
#include "hinge/core/kernels.h"

namespace hinge {
namespace {

HINGE_CLONES double dense_dot(const float* x, const double* w, std::size_t count) {
  double sum[4] = {};
  std::size_t j = 0;
  for (; j + 4 <= count; j += 4)
    for (std::size_t k = 0; k < 4; ++k) sum[k] += x[j + k] * w[j + k];
  for (; j < count; ++j) sum[0] += x[j] * w[j];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

HINGE_CLONES void dense_add(const float* x, double factor, double* __restrict out, std::size_t count) {
  for (std::size_t j = 0; j < count; ++j) out[j] += factor * x[j];
}

}  // namespace

Documents::Documents(const std::vector<SparseRow>& rows, std::size_t judged, Index features)
    : size_(rows.size()), judged_(judged), features_(features), start_{0} {
  std::size_t filled = 0;
  for (const SparseRow& row : rows) filled += row.index.size();
  dense_ = 3 * filled >= size_ * features_;
  value_.reserve(dense_ ? size_ * features_ : filled);
  if (dense_) {
    column_.resize(features_);
    std::iota(column_.begin(), column_.end(), Index{0});
  }
  for (std::size_t i = 0; i < size_; ++i) {
    const SparseRow& row = rows[i];
    if (dense_) {
      value_.resize((i + 1) * features_);
      for (std::size_t k = 0; k < row.index.size(); ++k) value_[i * features_ + row.index[k]] = row.value[k];
    } else {
      value_.insert(value_.end(), row.value.begin(), row.value.end());
      column_.insert(column_.end(), row.index.begin(), row.index.end());
      start_.push_back(value_.size());
    }
  }
}

void Documents::score(Weights w, std::span<double> out) const {
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = dense_ ? dense_dot(value_.data() + i * features_, w.data(), features_)
                    : kernels::sparse_dot(column_.data() + start_[i], value_.data() + start_[i],
                                          start_[i + 1] - start_[i], w.data());
}

void Documents::add_rows(std::span<const double> amount, Vector& sum) const {
  sum.assign(features_, 0.0);
  for (std::size_t i = 0; i < amount.size(); ++i)
    if (amount[i] != 0) dense_add(value_.data() + i * features_, amount[i], sum.data(), features_);
}

Vector placed(std::span<const double> stored, std::span<const Index> place) {
  Vector out(place.size());
  for (std::size_t k = 0; k < place.size(); ++k) out[place[k]] = stored[k];
  return out;
}

}  // namespace hinge
