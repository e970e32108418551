// The kernel of inputs that a program compares itself (compared_inputs.h), as a task knows it: how many inputs there were in
// training, which of them it needs, and, until a model is saved, what their products are.
#pragma once

#include <span>

#include "hinge/core/archive.h"
#include "hinge/tasks/compared_inputs.h"

namespace hinge {

class GivenKernel {
 public:
  // Of training rows, each of which is an input. Throws InputError.
  GivenKernel(std::shared_ptr<const ComparedInputs> inputs, std::span<const SparseRow* const> rows);
  // The same, but fewer are needed: numbers of inputs.
  GivenKernel(const GivenKernel& all, std::vector<Index> needed);
  explicit GivenKernel(const Archive& archive);
  void save(Archive& archive) const;

  const ComparedInputs* inputs() const { return inputs_.get(); }  // null after loading
  const std::vector<Index>& needed() const { return needed_; }
  // k(z, x) for all z that are needed. Throws InputError where the products are of no kernel.
  void products(const SparseRow& x, std::span<double> out) const;
  // Of an input of training.
  double product_with_itself(const SparseRow& x) const;
  // Throws InputError where a row cannot be what compared_inputs.h says, of these inputs.
  void require_row(const SparseRow& x) const;

 private:
  std::shared_ptr<const ComparedInputs> inputs_;
  std::size_t training_;  // how many there were
  std::vector<Index> needed_;
  std::vector<double> own_;  // √k_ii of all, while they are there
};

[[noreturn]] void refuse_saved_inputs();

}  // namespace hinge
