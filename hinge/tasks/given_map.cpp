#include "hinge/tasks/given_map.h"

#include <algorithm>

namespace hinge {

GivenMap::GivenMap(const GivenKernel& all, std::size_t most) {
  constexpr double kTolerance = 1e-6;  // rows are floats
  constexpr double kBelow = 1e-4;      // of the largest product, and no rounding
  std::vector<double> diagonal;
  for (const Index j : all.needed()) diagonal.push_back(all.product_with_itself(ComparedInputs::row(j)));
  const double largest = *std::ranges::max_element(diagonal);
  factor_ = choose_landmarks(
      diagonal,
      [&](std::size_t a, std::span<double> out) { all.products(ComparedInputs::row(all.needed()[a]), out); },
      most, kTolerance * largest);
  if (factor_.least < -kBelow * largest)
    fail(
        "the products of the inputs leave {:.3g} of one with itself, told by the others: they are of no "
        "kernel, which is positive semidefinite.",
        factor_.least);
  std::vector<Index> landmarks;
  for (const std::size_t pivot : factor_.pivots) landmarks.push_back(all.needed()[pivot]);
  landmarks_ = std::make_shared<const GivenKernel>(all, std::move(landmarks));
}

SparseRow GivenMap::operator()(const SparseRow& x) const {
  std::vector<double> values(size());
  landmarks_->products(x, values);
  factor_.solve(values);
  SparseRow row{std::vector<Index>(size()), {values.begin(), values.end()}};
  std::iota(row.index.begin(), row.index.end(), Index{1});
  return row;
}

void GivenMap::save(Archive& archive) const {
  landmarks_->save(archive);
  archive.arrays["kernel_triangle"] = factor_.triangle;
  archive.arrays["kernel_inputs_rest"] = std::vector<double>{factor_.rest};
}

GivenMap::GivenMap(std::shared_ptr<const GivenKernel> landmarks, const Archive& archive)
    : factor_{{}, archive.get<double>("kernel_triangle"), 0}, landmarks_(std::move(landmarks)) {
  const auto& rest = archive.get<double>("kernel_inputs_rest");
  if (rest.size() != 1 || factor_.triangle.size() != size() * (size() + 1) / 2) refuse_saved_inputs();
  factor_.rest = rest[0];
}

}  // namespace hinge
