#include "hinge/solvers/state_block.h"

#include <algorithm>

#include "hinge/core/kernels.h"
#include "hinge/core/smooth_max.h"
#include "hinge/solvers/pairwise.h"

namespace hinge {
namespace {

void score_states(const StateBlock::Table& table, StateBlock::Scratch& scratch) {
  const double* z = scratch.z.data();
  if (table.paths != nullptr) {
    scratch.sums.assign(table.offset.size(), 0.0);
    for (Index s = 0; s < scratch.sums.size(); ++s)
      for (const Index c : table.paths->of(s)) scratch.sums[s] += z[c];
    z = scratch.sums.data();
  }
  const double reference = z[table.reference];
  for (std::size_t s = 0; s < scratch.score.size(); ++s)
    scratch.score[s] = table.offset[s] + table.factor[s] * (z[s] - reference);
}

}  // namespace

std::shared_ptr<const StateBlock::Table> StateBlock::Tables::of(const ProductPlanes& planes) {
  if (tables_.size() <= planes.reference) tables_.resize(planes.reference + 1);
  auto& table = tables_[planes.reference];
  Table own{planes.reference, planes.offset, planes.factor, planes.paths};
  if (table == nullptr || !(*table == own)) table = std::make_shared<const Table>(std::move(own));
  return table;
}

// The block as pairwise.h sees it.
class StateBlock::Ascent {
 public:
  Ascent(StateBlock& block, Scratch& scratch) : block_(block), table_(*block.table_), scratch_(scratch) {}

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
    if (table_.paths != nullptr) return block_.squared_norm_ * shared_square(s, t, fs, ft);
    return block_.squared_norm_ * (fs * fs + ft * ft + (fs - ft) * (fs - ft));
  }
  void exchange(std::size_t from, std::size_t to, double mass, double weighted_mass) {
    alpha(to) += mass;
    double& given = alpha(from);
    given = mass == given ? 0 : given - mass;
    const double step = weighted_mass * block_.squared_norm_;
    add(to, -step * table_.factor[to]);
    add(from, step * table_.factor[from]);
    add(table_.reference, step * (table_.factor[to] - table_.factor[from]));
    score_states(table_, scratch_);
  }

 private:
  void add(std::size_t state, double amount) {
    table_.for_each_component(static_cast<Index>(state), [&](Index c) { scratch_.z[c] += amount; });
  }
  // |fs s − ft t − (fs − ft) reference|², by what the states share.
  double shared_square(std::size_t s, std::size_t t, double fs, double ft) const {
    const auto shared = [&](std::size_t a, std::size_t b) {
      return table_.paths->shared(static_cast<Index>(a), static_cast<Index>(b));
    };
    const std::size_t r = table_.reference;
    const double fr = fs - ft;
    return std::max(0.0, fs * fs * shared(s, s) + ft * ft * shared(t, t) + fr * fr * shared(r, r) -
                             2 * (fs * ft * shared(s, t) + fr * (fs * shared(s, r) - ft * shared(t, r))));
  }
  double& alpha(std::size_t s) {
    const auto found = std::ranges::find(block_.active_, s, &Active::state);
    if (found != block_.active_.end()) return found->alpha;
    scratch_.before.push_back(0);
    return block_.active_.emplace_back(static_cast<Index>(s), 0.0).alpha;
  }

  StateBlock& block_;
  const Table& table_;
  Scratch& scratch_;
};

std::size_t StateBlock::planes() const {
  return active_.size() -
         static_cast<std::size_t>(std::ranges::count(active_, table_->reference, &Active::state));
}

StateBlock::Value StateBlock::value(Scratch& scratch) const {
  scratch.score.resize(states());
  score_states(*table_, scratch);
  Value value{kernels::maximum(scratch.score.data(), states()), 0};
  for (const auto& [state, alpha] : active_) value.mean += alpha * scratch.score[state];
  return value;
}

double StateBlock::offset() const {
  double sum = 0;
  for (const auto& [state, alpha] : active_) sum += alpha * table_->offset[state];
  return sum;
}

double StateBlock::ascend(double kappa, double enough, std::size_t max_steps, Scratch& scratch) {
  scratch.before.clear();
  for (const Active& active : active_) scratch.before.push_back(active.alpha);
  Ascent ascent(*this, scratch);
  const double gain = pairwise_ascent(ascent, kappa, enough, max_steps);
  change(-kappa, scratch);
  std::erase_if(active_, [](const Active& active) { return active.alpha <= 0; });
  return gain;
}

void StateBlock::columns(double factor, Scratch& scratch) const {
  scratch.before.assign(active_.size(), 0.0);
  change(factor, scratch);
}

void StateBlock::change(double factor, Scratch& scratch) const {
  auto& columns = scratch.columns;
  columns.assign(1, {table_->reference, 0.0});
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const auto& [state, alpha] = active_[k];
    const double amount = factor * table_->factor[state] * (alpha - scratch.before[k]);
    if (amount == 0) continue;
    columns.push_back({state, amount});
    columns.front().amount -= amount;
  }
  if (table_->paths != nullptr) merge_columns(scratch);
}

void StateBlock::merge_columns(Scratch& scratch) const {
  scratch.sums.assign(components(), 0.0);
  for (const auto& [state, amount] : scratch.columns)
    for (const Index c : table_->paths->of(state)) scratch.sums[c] += amount;
  scratch.columns.clear();
  for (Index c = 0; c < scratch.sums.size(); ++c)
    if (scratch.sums[c] != 0) scratch.columns.push_back({c, scratch.sums[c]});
}

void StateBlock::set(double kappa, std::span<const double> added) {
  active_.clear();
  double sum = 0;
  Vector of_states;
  if (table_->paths != nullptr) {
    table_->paths->amounts(added, of_states);
    added = of_states;
  }
  for (Index s = 0; s < states(); ++s)
    if (table_->factor[s] > 0 && added[s] < 0) {  // not the reference, whose factor is 0
      active_.push_back({s, -added[s] / (kappa * table_->factor[s])});
      sum += active_.back().alpha;
    }
  if (sum > 1)
    for (Active& active : active_) active.alpha /= sum;
  if (sum < 1) active_.push_back({table_->reference, 1 - sum});
}

}  // namespace hinge
