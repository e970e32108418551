#include "hinge/solvers/product_block.h"

#include <algorithm>

#include "hinge/core/kernels.h"
#include "hinge/core/smooth_max.h"
#include "hinge/solvers/pairwise.h"

namespace hinge {
namespace {

void score_states(const ProductBlock::Table& table, ProductBlock::Scratch& scratch) {
  const double reference = scratch.z[table.reference];
  for (std::size_t s = 0; s < scratch.z.size(); ++s)
    scratch.score[s] = table.offset[s] + table.factor[s] * (scratch.z[s] - reference);
}

}  // namespace

// The block as pairwise.h sees it.
class ProductBlock::Ascent {
 public:
  Ascent(ProductBlock& block, Scratch& scratch) : block_(block), table_(*block.table_), scratch_(scratch) {}

  std::size_t highest() const { return arg_max(scratch_.score); }
  double score(std::size_t s) const { return scratch_.score[s]; }
  double mean() const {
    double sum = 0;
    for (const auto& [state, alpha] : block_.active_) sum += alpha * scratch_.score[state];
    return sum;
  }
  template <class F>
  void for_each_active(F&& f) const {
    for (const auto& [state, alpha] : block_.active_)
      if (alpha > 0) f(state, alpha);
  }
  double distance(std::size_t s, std::size_t t) const {
    const double fs = table_.factor[s], ft = table_.factor[t];
    return block_.squared_norm_ * (fs * fs + ft * ft + (fs - ft) * (fs - ft));
  }
  void exchange(std::size_t from, std::size_t to, double mass, double weighted_mass) {
    alpha(to) += mass;
    double& given = alpha(from);
    given = mass == given ? 0 : given - mass;
    const double step = weighted_mass * block_.squared_norm_;
    scratch_.z[to] -= step * table_.factor[to];
    scratch_.z[from] += step * table_.factor[from];
    scratch_.z[table_.reference] += step * (table_.factor[to] - table_.factor[from]);
    score_states(table_, scratch_);
  }

 private:
  double& alpha(std::size_t s) {
    const auto found = std::ranges::find(block_.active_, s, &Active::state);
    if (found != block_.active_.end()) return found->alpha;
    scratch_.before.push_back(0);
    return block_.active_.emplace_back(static_cast<Index>(s), 0.0).alpha;
  }

  ProductBlock& block_;
  const Table& table_;
  Scratch& scratch_;
};

ProductBlock::ProductBlock(const ProductPlanes& planes, std::shared_ptr<const Table> table)
    : row_(planes.row.begin(), planes.row.end()),
      value_(planes.value.begin(), planes.value.end()),
      table_(std::move(table)),
      active_{{planes.reference, 1}} {
  for (float v : value_) squared_norm_ += static_cast<double>(v) * static_cast<double>(v);
}

std::size_t ProductBlock::planes() const {
  return active_.size() -
         static_cast<std::size_t>(std::ranges::count(active_, table_->reference, &Active::state));
}

void ProductBlock::prefetch() const {
  constexpr std::size_t kLine = 64 / sizeof(Index);  // a cache line
  static_assert(sizeof(Index) == sizeof(float));
  for (std::size_t k = 0; k < row_.size(); k += kLine) {
    __builtin_prefetch(row_.data() + k);
    __builtin_prefetch(value_.data() + k);
  }
  __builtin_prefetch(active_.data());
}

ProductBlock::Value ProductBlock::score(Weights w, Scratch& scratch) const {
  const std::size_t states = table_->offset.size();
  scratch.z.assign(states, 0.0);
  scratch.score.resize(states);
  kernels::add_rows(scratch.z.data(), states, row_.data(), value_.data(), row_.size(), w.data());
  score_states(*table_, scratch);
  Value value{kernels::maximum(scratch.score.data(), states), 0};
  for (const auto& [state, alpha] : active_) value.mean += alpha * scratch.score[state];
  return value;
}

double ProductBlock::ascend(double kappa, double enough, std::size_t max_steps, Scratch& scratch, Vector& w) {
  scratch.before.clear();
  for (const Active& active : active_) scratch.before.push_back(active.alpha);
  Ascent ascent(*this, scratch);
  const double gain = pairwise_ascent(ascent, kappa, enough, max_steps);
  move(-kappa, scratch, w);
  std::erase_if(active_, [](const Active& active) { return active.alpha <= 0; });
  return gain;
}

void ProductBlock::add_to(Vector& w, double factor, Scratch& scratch) const {
  scratch.before.assign(active_.size(), 0.0);
  move(factor, scratch, w);
}

void ProductBlock::move(double factor, Scratch& scratch, Vector& w) const {
  auto& columns = scratch.columns;
  columns.assign(1, {table_->reference, 0.0});
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const auto& [state, alpha] = active_[k];
    const double amount = factor * table_->factor[state] * (alpha - scratch.before[k]);
    if (amount == 0) continue;
    columns.push_back({state, amount});
    columns.front().amount -= amount;
  }
  const std::size_t states = table_->offset.size();
  for (std::size_t k = 0; k < row_.size(); ++k) {
    double* const weights = w.data() + row_[k] * states;
    const double value = static_cast<double>(value_[k]);
    for (const auto& [state, amount] : columns) weights[state] += value * amount;
  }
}

}  // namespace hinge
