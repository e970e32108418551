// Rows that have the products of a kernel over inputs of any kind (core/landmarks.h); hinge/kernel_features.h shows their use.
#pragma once

#include <algorithm>
#include <numeric>

#include "hinge/core/landmarks.h"
#include "hinge/tasks/svmlight.h"

namespace hinge {

template <class Input, class Kernel>
class KernelFeatures {
 public:
  // kernel(a, b) is symmetric and positive semidefinite. At most `most` of the inputs are kept.
  KernelFeatures(const std::vector<Input>& inputs, Kernel kernel, std::size_t most = 2000)
      : kernel_(std::move(kernel)) {
    std::vector<double> diagonal;
    for (const Input& x : inputs) diagonal.push_back(kernel_(x, x));
    const double largest = diagonal.empty() ? 0 : *std::ranges::max_element(diagonal);
    const auto column = [&](std::size_t i, std::span<double> out) {
      for (std::size_t j = 0; j < out.size(); ++j) out[j] = kernel_(inputs[i], inputs[j]);
    };
    factor_ = choose_landmarks(diagonal, column, most, kTolerance * largest);
    for (const std::size_t pivot : factor_.pivots) landmarks_.push_back(inputs[pivot]);
  }

  // The same again, of what one had.
  KernelFeatures(Kernel kernel, std::vector<Input> landmarks, Landmarks factor)
      : kernel_(std::move(kernel)), landmarks_(std::move(landmarks)), factor_(std::move(factor)) {}

  const Kernel& kernel() const { return kernel_; }
  const std::vector<Input>& landmarks() const { return landmarks_; }
  const Landmarks& factor() const { return factor_; }
  std::size_t size() const { return landmarks_.size(); }
  // How far products of features may be from the kernel, between inputs it was made of.
  double rest() const { return factor_.rest; }

  // Numbered from 1, as in files.
  SparseRow operator()(const Input& x) const {
    std::vector<double> values;
    for (const Input& z : landmarks_) values.push_back(kernel_(z, x));
    factor_.solve(values);
    SparseRow row{std::vector<Index>(size()), {values.begin(), values.end()}};
    std::iota(row.index.begin(), row.index.end(), Index{1});
    return row;
  }

 private:
  static constexpr double kTolerance = 1e-6;  // features are floats

  Kernel kernel_;
  std::vector<Input> landmarks_;
  Landmarks factor_;
};

}  // namespace hinge
