// Inputs that a program compares itself (given_kernel.h) as rows of numbers, by landmarks among them that are chosen greedily
// (core/landmarks.h).
#pragma once

#include "hinge/core/landmarks.h"
#include "hinge/tasks/given_kernel.h"
#include "hinge/tasks/input_map.h"

namespace hinge {

class GivenMap final : public InputMap {
 public:
  // At most so many landmarks, of the inputs that are needed. Throws InputError where it shows that they have no kernel.
  GivenMap(const GivenKernel& all, std::size_t most);
  GivenMap(std::shared_ptr<const GivenKernel> landmarks, const Archive& archive);

  const std::shared_ptr<const GivenKernel>& kernel() const { return landmarks_; }
  std::size_t size() const override { return landmarks_->needed().size(); }
  double rest() const override { return factor_.rest; }
  SparseRow operator()(const SparseRow& x) const override;
  void save(Archive& archive) const override;

 private:
  Landmarks factor_;
  std::shared_ptr<const GivenKernel> landmarks_;
};

}  // namespace hinge
