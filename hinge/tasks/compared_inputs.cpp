#include "hinge/tasks/compared_inputs.h"

#include <algorithm>
#include <cmath>

#include "hinge/core/errors.h"

namespace hinge {
namespace {

constexpr double kRounding = 1e-6;  // products may have been made in single precision

}  // namespace

double own_product(const ComparedInputs& inputs, std::size_t i) {
  const double own = inputs.product(i, i);
  if (!std::isfinite(own)) fail("the product of input {} with itself is {}: give finite numbers.", i, own);
  if (own < 0)
    fail(
        "the product of input {} with itself is {}, below 0, which no kernel has: kernels are positive "
        "semidefinite.",
        i, own);
  return own;
}

void require_product(double product, double own, double other, std::size_t i, std::size_t j) {
  if (!std::isfinite(product))
    fail("the product of inputs {} and {} is {}: give finite numbers.", i, j, product);
  if (std::abs(product) > (1 + kRounding) * std::sqrt(own) * std::sqrt(other) + kRounding * kRounding)
    fail(
        "the product of inputs {} and {} is {}, which is too large beside {} and {}, their products with "
        "themselves: kernels are positive semidefinite.",
        i, j, product, own, other);
}

ProductTable::ProductTable(std::vector<double> products, std::size_t n) : table_(std::move(products)), n_(n) {
  if (table_.size() != n * n)
    fail("a table of products has a row and a column for each of {} inputs, {} numbers, but has {}.", n,
         n * n, table_.size());
  std::vector<double> own;
  for (std::size_t i = 0; i < n; ++i) own.push_back(own_product(*this, i));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      double &here = table_[i * n + j], &there = table_[j * n + i];
      require_product(here, own[i], own[j], i, j);
      require_product(there, own[j], own[i], j, i);
      if (std::abs(here - there) > kRounding * std::max(std::sqrt(own[i] * own[j]), std::abs(here)))
        fail("the product of inputs {} and {} is {}, and that of {} and {} is {}: kernels are symmetric.", i,
             j, here, j, i, there);
      here = there = 0.5 * (here + there);
    }
}

}  // namespace hinge
