// Where a task pours features: `add(index, value)` one by one, or `add_row(first, values, factor)` for a run
// of them, or `add_rows` for a run at each of several places, row[a] · |values|, with factor[a] (null: ones).
#pragma once

#include "hinge/core/errors.h"
#include "hinge/core/kernels.h"
#include "hinge/core/single_kernels.h"
#include "hinge/core/sparse_vector.h"

namespace hinge {

// A feature that the task's own dimension() does not know: a fault of the task.
class FeatureError : public InputError {
 public:
  FeatureError(std::size_t feature, std::size_t dimension)
      : InputError(
            fmt::format("the task pours feature {}, but its dimension() is {}: features are numbered from 0, "
                        "and all must be below it.",
                        feature, dimension)) {}
};

// The same of a whole vector in order.
inline void require_below(const SparseVector& features, std::size_t dimension) {
  if (!features.empty() && features.indices().back() >= dimension)
    throw FeatureError(features.indices().back(), dimension);
}

struct SparseSink {
  SparseVector& vector;

  void add(Index index, double value) { vector.add(index, value); }
  void add_row(Index first, std::span<const double> values, double factor) {
    for (std::size_t k = 0; k < values.size(); ++k)
      if (values[k] != 0) vector.add(first + static_cast<Index>(k), factor * values[k]);
  }
  void add_rows(std::span<const Index> row, const float* factor, std::span<const double> values) {
    for (std::size_t a = 0; a < row.size(); ++a)
      add_row(static_cast<Index>(row[a] * values.size()), values, factor == nullptr ? 1 : factor[a]);
  }
};

struct DenseSink {
  std::span<double> vector;
  double scale = 1;

  void add(Index index, double value) {
    require(index, 1);
    vector[index] += scale * value;
  }
  void add_row(Index first, std::span<const double> values, double factor) {
    require(first, values.size());
    double* out = vector.data() + first;
    const double f = scale * factor;
    for (std::size_t k = 0; k < values.size(); ++k) out[k] += f * values[k];
  }
  void add_rows(std::span<const Index> row, const float* factor, std::span<const double> values) {
    for (const Index r : row) require(std::size_t{r} * values.size(), values.size());
    kernels::add_to_rows(vector.data(), values.size(), row.data(), factor, row.size(), values.data(), scale);
  }

 private:
  void require(std::size_t first, std::size_t count) const {
    if (first + count > vector.size()) [[unlikely]]
      throw FeatureError(first + count - 1, vector.size());
  }
};

// Moves weights, w_j += share_j · v with v = scale · value (null shares: 1, in rows 0 of a weight that is −0),
// and knows by how much that lets |w|² = Σ_j w_j² / share_j grow: each step adds v (2 w_j + share_j v).
template <class Real>
struct MovingSinkOf {
  std::span<Real> vector;
  const Real* share = nullptr;
  Real scale = 1;
  double growth = 0;

  void add(Index index, Real value) {
    require(index, 1);
    move(index, scale * value);
  }
  void add_row(Index first, std::span<const Real> values, double factor) {
    require(first, values.size());
    const float one = 1;
    const Index row = 0;
    growth +=
        kernels::move_rows(vector.data() + first, share == nullptr ? nullptr : share + first, values.size(),
                           &row, &one, 1, values.data(), scale * static_cast<Real>(factor));
  }
  void add_rows(std::span<const Index> row, const float* factor, std::span<const Real> values) {
    for (const Index r : row) require(std::size_t{r} * values.size(), values.size());
    growth += kernels::move_rows(vector.data(), share, values.size(), row.data(), factor, row.size(),
                                 values.data(), scale);
  }

 private:
  void move(Index j, Real v) {
    const Real before = vector[j];
    vector[j] += share == nullptr ? v : v * share[j];
    growth += static_cast<double>(v * (before + vector[j]));
  }
  void require(std::size_t first, std::size_t count) const {
    if (first + count > vector.size()) [[unlikely]]
      throw FeatureError(first + count - 1, vector.size());
  }
};
using MovingSink = MovingSinkOf<double>;

}  // namespace hinge
