// Products of a row with the n that training knows, where these are weighed themselves (`kernel_map` none of row_map.h):
//
//     (k(z_1, x), …, k(z_n, x)) + bias²
//
// A row has features, or the letters of a string (string_products.h).
#pragma once

#include <span>

#include "hinge/tasks/svmlight.h"

namespace hinge {

class RowProducts {
 public:
  virtual ~RowProducts() = default;
  virtual std::size_t size() const = 0;  // n
  virtual void products(const SparseRow& x, std::span<double> out) const = 0;
  virtual double product_with_itself(const SparseRow& x) const = 0;
};

// A row whose features they are.
SparseRow row_of_products(const RowProducts& products, const SparseRow& x);

// Which of the rows have a weight, and one at least; each has `states` of them. The weights of others are taken out.
std::vector<bool> keep_weighed(std::size_t states, Vector& weights);

}  // namespace hinge
