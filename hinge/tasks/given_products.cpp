#include "hinge/tasks/given_products.h"

#include <cmath>

namespace hinge {

void GivenProducts::products(const SparseRow& x, std::span<double> out) const {
  kernel_->products(x, out);
  for (double& v : out) v += added_;
}

void GivenProducts::save(Archive& archive) const {
  kernel_->save(archive);
  archive.arrays["kernel_inputs_added"] = std::vector<double>{added_};
}

GivenProducts::GivenProducts(std::shared_ptr<const GivenKernel> kernel, const Archive& archive)
    : kernel_(std::move(kernel)) {
  const auto& added = archive.get<double>("kernel_inputs_added");
  if (added.size() != 1 || !std::isfinite(added[0])) refuse_saved_inputs();
  added_ = added[0];
}

void GivenProducts::leave_out(std::size_t states, Archive& archive, Vector& weights) const {
  archive.arrays["kernel_inputs"] = kept(keep_weighed(states, weights), kernel_->needed());
  number_features(archive, archive.get<Index>("kernel_inputs").size());
}

}  // namespace hinge
