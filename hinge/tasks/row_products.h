// Products of a row with the n that training knows, where these are weighed themselves (`kernel_map` none of row_map.h):
//
//     (k(z_1, x), …, k(z_n, x)) + bias²
//
// A row has features, or the letters of a string (string_products.h), or stands for what a program compares (given_products.h).
#pragma once

#include <span>

#include "hinge/core/archive.h"
#include "hinge/tasks/svmlight.h"

namespace hinge {

class RowProducts {
 public:
  virtual ~RowProducts() = default;
  virtual std::size_t size() const = 0;  // n
  virtual void products(const SparseRow& x, std::span<double> out) const = 0;
  virtual double product_with_itself(const SparseRow& x) const = 0;
  virtual void save(Archive& archive) const = 0;
  // Takes the rows that no weight is for out of what `save` wrote, and their weights; each row has `states` of them.
  virtual void leave_out(std::size_t states, Archive& archive, Vector& weights) const = 0;
};

// A row whose features they are.
SparseRow row_of_products(const RowProducts& products, const SparseRow& x);

// Which of the rows have a weight, and one at least; each has `states` of them. The weights of others are taken out.
std::vector<bool> keep_weighed(std::size_t states, Vector& weights);
template <class T>
std::vector<T> kept(const std::vector<bool>& which, const std::vector<T>& all) {
  std::vector<T> some;
  for (std::size_t a = 0; a < all.size(); ++a)
    if (which[a]) some.push_back(all[a]);
  return some;
}
// The features of a model whose rows are so many: 1, 2, ...
void number_features(Archive& archive, std::size_t count);

}  // namespace hinge
