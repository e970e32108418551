// Inputs of any kind that a program compares itself, by a kernel of its own (`kernel` precomputed). Those of training have
// numbers 0, 1, 2, ... among themselves, and
//
//     product(i, j) = k(x_i, x_j) = <φ(x_i), φ(x_j)>
//
// is symmetric and positive semidefinite. Nobody else knows what they are. So a row of records is one of two: `row(i)`, the
// training input i itself; or another input by its products with those of training, k(x, x_j) as feature j + 1, of which a model
// asks for some only (needed_inputs).
#pragma once

#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "hinge/tasks/svmlight.h"

namespace hinge {

class ComparedInputs {
 public:
  virtual ~ComparedInputs() = default;
  virtual std::size_t size() const = 0;
  // The same number each time, from several threads at once.
  virtual double product(std::size_t i, std::size_t j) const = 0;

  static SparseRow row(std::size_t i) { return {{kFirst + static_cast<Index>(i)}, {1}}; }
  // Which input a row is; nothing where it is one by its products.
  static std::optional<std::size_t> number(const SparseRow& row) {
    if (row.index.size() != 1 || row.index[0] < kFirst) return std::nullopt;
    return row.index[0] - kFirst;
  }

 protected:
  static constexpr Index kFirst = Index{1} << 30;  // beyond all products
};

// Compared by a function of two: kernel(a, b), which may be called from several threads at once (hinge/kernel_features.h).
template <class Input, class Kernel>
class KernelInputs final : public ComparedInputs {
 public:
  KernelInputs(std::vector<Input> inputs, Kernel kernel)
      : inputs_(std::move(inputs)), kernel_(std::move(kernel)) {}

  std::size_t size() const override { return inputs_.size(); }
  double product(std::size_t i, std::size_t j) const override {
    return i <= j ? kernel_(inputs_[i], inputs_[j]) : kernel_(inputs_[j], inputs_[i]);
  }
  const Input& operator[](std::size_t i) const { return inputs_[i]; }

  // Another input, by its products with those of these numbers, which ascend; with all of them.
  SparseRow operator()(const Input& x, const std::vector<Index>& needed) const {
    SparseRow row;
    for (const Index j : needed) {
      row.index.push_back(j + 1);
      row.value.push_back(static_cast<float>(kernel_(x, inputs_[j])));
    }
    return row;
  }
  SparseRow operator()(const Input& x) const {
    std::vector<Index> all(size());
    std::iota(all.begin(), all.end(), Index{0});
    return (*this)(x, all);
  }

 private:
  std::vector<Input> inputs_;
  Kernel kernel_;
};

// A table of n x n products, in rows.
class ProductTable final : public ComparedInputs {
 public:
  // Throws InputError where it can be seen that the table is of no kernel: it is not symmetric, has other numbers than finite
  // ones, or a product that is larger than those of both inputs with themselves allow.
  ProductTable(std::vector<double> products, std::size_t n);
  std::size_t size() const override { return n_; }
  double product(std::size_t i, std::size_t j) const override { return table_[i * n_ + j]; }

 private:
  std::vector<double> table_;
  std::size_t n_;
};

// What records say of inputs that are no rows of features: one of both, or none.
struct OtherInputs {
  std::vector<std::string> strings;                // in the place of the rows' features, which are empty then
  std::shared_ptr<const ComparedInputs> compared;  // which of them each row is
};

// What every input's product with itself is: finite, and not below 0. Throws InputError.
double own_product(const ComparedInputs& inputs, std::size_t i);
// Throws InputError where |k_ij|² > k_ii k_jj, or k_ij is not finite.
void require_product(double product, double own, double other, std::size_t i, std::size_t j);

}  // namespace hinge
