// A kernel of your own over inputs of any kind becomes features that every task of rows can weigh
// (core/landmarks.h): for inputs it was made of, <features(x), features(x')> = k(x, x').
//
//     const std::vector<std::string> words = {"structure", "structural", "hinge", "hinges"};
//     const hinge::KernelFeatures features(words, hinge::SubsequenceKernel{.length = 3, .decay = 0.5});
//     hinge::MulticlassRecords records;
//     for (const std::string& word : words) records.add(features(word), word.substr(0, 1));
//     auto task = hinge::make_multiclass();
//     const auto data = task->train_on(records);
#pragma once

#include <numeric>

#include "hinge/core/landmarks.h"
#include "hinge/tasks/multiclass/any_multiclass.h"
#include "hinge/tasks/multiclass/records.h"
#include "hinge/tasks/string_kernels.h"

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
