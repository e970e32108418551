#include "hinge/solvers/product_block.h"

#include "hinge/core/kernels.h"

namespace hinge {
namespace {

double squares(std::span<const float> values) {
  double sum = 0;
  for (const float v : values) sum += static_cast<double>(v) * static_cast<double>(v);
  return sum;
}

}  // namespace

ProductBlock::ProductBlock(const ProductPlanes& planes, std::shared_ptr<const StateBlock::Table> table)
    : row_(planes.row.begin(), planes.row.end()),
      value_(planes.value.begin(), planes.value.end()),
      block_(std::move(table), squares(value_)) {}

void ProductBlock::prefetch() const {
  constexpr std::size_t kLine = 64 / sizeof(Index);  // a cache line
  static_assert(sizeof(Index) == sizeof(float));
  for (std::size_t k = 0; k < row_.size(); k += kLine) {
    __builtin_prefetch(row_.data() + k);
    __builtin_prefetch(value_.data() + k);
  }
  block_.prefetch();
}

ProductBlock::Value ProductBlock::score(Weights w, Scratch& scratch) const {
  const std::size_t components = block_.components();
  scratch.z.assign(components, 0.0);
  if (components == 1)
    scratch.z[0] = kernels::sparse_dot(row_.data(), value_.data(), row_.size(), w.data());
  else
    kernels::add_rows(scratch.z.data(), components, row_.data(), value_.data(), row_.size(), w.data());
  return block_.value(scratch);
}

double ProductBlock::ascend(double kappa, double enough, std::size_t max_steps, Scratch& scratch, Vector& w) {
  const double gain = block_.ascend(kappa, enough, max_steps, scratch);
  move(scratch, w);
  return gain;
}

void ProductBlock::add_to(Vector& w, double factor, Scratch& scratch) const {
  block_.columns(factor, scratch);
  move(scratch, w);
}

void ProductBlock::move(const Scratch& scratch, Vector& w) const {
  const std::size_t components = block_.components();
  for (std::size_t k = 0; k < row_.size(); ++k) {
    double* const weights = w.data() + row_[k] * components;
    const double value = static_cast<double>(value_[k]);
    for (const auto& [component, amount] : scratch.columns) weights[component] += value * amount;
  }
}

}  // namespace hinge
