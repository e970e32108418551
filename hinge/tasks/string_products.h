// Products of strings by a string kernel (string_kernels.h), where no map makes rows of them. A string stands in the place
// of a row: its letters (string_map.h).
#pragma once

#include "hinge/core/archive.h"
#include "hinge/tasks/row_products.h"
#include "hinge/tasks/string_map.h"

namespace hinge {

class StringProducts final : public RowProducts {
 public:
  // Of training strings. Throws InputError where none of them is long enough to have anything in common with another.
  StringProducts(std::vector<std::string> strings, const InputKernel& options, double bias);
  explicit StringProducts(const Archive& archive);
  void save(Archive& archive) const override;
  void leave_out(std::size_t states, Archive& archive, Vector& weights) const override;

  std::size_t size() const override { return strings_.size(); }
  void products(const SparseRow& x, std::span<double> out) const override;
  double product_with_itself(const SparseRow& x) const override;

 private:
  void measure();

  StringKernel kernel_;
  std::vector<std::string> strings_;
  double added_;  // to every product
  Vector own_;    // what each string has in common with itself
};

}  // namespace hinge
