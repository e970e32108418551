// Products of inputs that a program compares itself (given_kernel.h), where no map makes rows of them.
#pragma once

#include "hinge/tasks/given_kernel.h"
#include "hinge/tasks/row_products.h"

namespace hinge {

class GivenProducts final : public RowProducts {
 public:
  GivenProducts(std::shared_ptr<const GivenKernel> kernel, double bias)
      : kernel_(std::move(kernel)), added_(bias * bias) {}
  GivenProducts(std::shared_ptr<const GivenKernel> kernel, const Archive& archive);

  std::size_t size() const override { return kernel_->needed().size(); }
  void products(const SparseRow& x, std::span<double> out) const override;
  double product_with_itself(const SparseRow& x) const override {
    return kernel_->product_with_itself(x) + added_;
  }
  void save(Archive& archive) const override;
  void leave_out(std::size_t states, Archive& archive, Vector& weights) const override;

 private:
  std::shared_ptr<const GivenKernel> kernel_;
  double added_;  // to every product
};

}  // namespace hinge
