#include "hinge/tasks/given_kernel.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace hinge {

GivenKernel::GivenKernel(std::shared_ptr<const ComparedInputs> inputs, std::span<const SparseRow* const> rows)
    : inputs_(std::move(inputs)), training_(inputs_->size()) {
  for (std::size_t i = 0; i < training_; ++i) own_.push_back(std::sqrt(own_product(*inputs_, i)));
  for (const SparseRow* const row : rows) {
    require_row(*row);
    const auto number = ComparedInputs::number(*row);
    if (!number)
      fail("a row to learn from is one of the inputs that are compared: give row(i), not its products.");
    needed_.push_back(static_cast<Index>(*number));
  }
  if (std::ranges::all_of(needed_, [&](Index j) { return own_[j] == 0; }))
    fail("all products of the inputs with themselves are 0, so that there is nothing to learn from them.");
}

GivenKernel::GivenKernel(const GivenKernel& all, std::vector<Index> needed)
    : inputs_(all.inputs_), training_(all.training_), needed_(std::move(needed)), own_(all.own_) {}

void GivenKernel::save(Archive& archive) const {
  archive.arrays["kernel_inputs"] = needed_;
  archive.arrays["kernel_compared"] = std::vector<std::int64_t>{static_cast<std::int64_t>(training_)};
}

GivenKernel::GivenKernel(const Archive& archive) : needed_(archive.get<Index>("kernel_inputs")) {
  const auto& training = archive.get<std::int64_t>("kernel_compared");
  if (training.size() != 1 || training[0] < 1 || needed_.empty()) refuse_saved_inputs();
  training_ = static_cast<std::size_t>(training[0]);
  if (std::ranges::any_of(needed_, [&](Index j) { return j >= training_; })) refuse_saved_inputs();
}

void refuse_saved_inputs() {
  fail("the model's inputs and products do not fit together: train the model again.");
}

void GivenKernel::products(const SparseRow& x, std::span<double> out) const {
  if (const auto i = ComparedInputs::number(x)) {
    for (std::size_t a = 0; a < out.size(); ++a) {
      const std::size_t j = needed_[a];
      out[a] = inputs_->product(*i, j);
      if (!(std::abs(out[a]) <= own_[*i] * own_[j]))
        require_product(out[a], own_[*i] * own_[*i], own_[j] * own_[j], *i, j);
    }
    return;
  }
  const bool all = x.index.size() == training_;
  for (std::size_t a = 0; a < out.size(); ++a) {
    const auto found = all ? x.index.begin() + needed_[a] : std::ranges::lower_bound(x.index, needed_[a] + 1);
    out[a] = found != x.index.end() && *found == needed_[a] + 1
                 ? static_cast<double>(x.value[static_cast<std::size_t>(found - x.index.begin())])
                 : 0;
  }
}

double GivenKernel::product_with_itself(const SparseRow& x) const {
  const auto i = ComparedInputs::number(x);
  assert(i);
  return own_[*i] * own_[*i];
}

void GivenKernel::require_row(const SparseRow& x) const {
  if (const auto i = ComparedInputs::number(x)) {
    if (!inputs_)
      fail(
          "the model was loaded from a file, which does not hold the inputs that training compared: give an "
          "input by its products with those.");
    if (*i >= training_) fail("there is no input {}, but {} of them, from 0 on.", *i, training_);
    return;
  }
  if (!x.index.empty() && (x.index.front() == 0 || x.index.back() > training_))
    fail(
        "a row has a product with input {}, but training had {} inputs: feature j is the product with input "
        "j, from 1 on.",
        x.index.front() == 0 ? 0 : x.index.back(), training_);
}

}  // namespace hinge
