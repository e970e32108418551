#include "hinge/solvers/chosen_blocks.h"

#include <algorithm>
#include <limits>

namespace hinge {
namespace {

constexpr std::size_t kBlockSteps = 100;
constexpr double kLittle = 0.001;  // a gain beside the largest

// y += a x
void add_multiple(Vector& y, double a, const Vector& x) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += a * x[i];
}

}  // namespace

void ChosenBlocks::begin(std::vector<One> ones, std::size_t components) {
  ones_ = std::move(ones);
  components_ = components;
  visits_ = 0;
  k_.resize(size() * size());
  z_.resize(size() * components);
  change_.assign(size() * components, 0.0);
  scratch_.z.resize(components);
}

StateBlock::Value ChosenBlocks::value(std::size_t a) {
  for (std::size_t c = 0; c < components_; ++c) scratch_.z[c] = z_[c * size() + a];
  return ones_[a].block->value(scratch_);
}

double ChosenBlocks::gap() {
  double sum = 0;
  for (std::size_t a = 0; a < size(); ++a) sum += ones_[a].kappa * value(a).gap();
  return sum;
}

void ChosenBlocks::sweep() {
  for (std::size_t a = 0; a < size(); ++a) {
    const double gap = value(a).gap();
    ++visits_;
    if (!(gap > 0)) continue;
    ones_[a].block->ascend(ones_[a].kappa, 1e-3 * gap, kBlockSteps, scratch_);
    for (const auto& [component, amount] : scratch_.columns) {
      const RowMultiple own{k_.data() + a * size(), amount};
      add_multiples({z_.data() + component * size(), size()}, {&own, 1});
      change_[component * size() + a] += amount;
    }
  }
}

void ChosenBlocks::conjugate(std::size_t steps) {
  list_free();
  double most = 0, before = 0;
  for (std::size_t k = 0; k < steps && !free_.empty(); ++k)
    if (!step(most, before)) break;
  put_back();
  spread();
}

void ChosenBlocks::list_free() {
  free_.clear();
  open_.clear();
  for (std::size_t a = 0; a < size(); ++a) {
    const StateBlock& block = *ones_[a].block;
    if (block.active().size() < 2) continue;
    for (const auto& [state, alpha] : block.active())
      free_.push_back({open_.size(), a, state, block.table().factor[state], ones_[a].kappa * alpha, 0, 0});
    open_.push_back(a);
  }
  const std::size_t count = open_.size();
  open_k_.resize(count * count);
  open_z_.resize(count * components_);
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < count; ++b) open_k_[a * count + b] = k_[open_[a] * size() + open_[b]];
    for (std::size_t c = 0; c < components_; ++c) open_z_[c * count + a] = z_[c * size() + open_[a]];
  }
  moved_w_.assign(count * components_, 0.0);
  moved_z_.resize(count * components_);
  all_moved_w_.assign(count * components_, 0.0);
}

double ChosenBlocks::climb() {
  const std::size_t count = open_.size();
  double squares = 0;
  products_ = 0;
  for (std::size_t first = 0; first < free_.size();) {
    const std::size_t place = free_[first].place;
    const StateBlock::Table& table = ones_[free_[first].one].block->table();
    const auto score = [&](Index state) {
      double sum = 0;
      table.for_each_component(state, [&](Index c) { sum += open_z_[c * count + place]; });
      return sum;
    };
    const double reference = score(table.reference);
    const auto height = [&](const Free& v) {
      return table.offset[v.state] + v.factor * (score(v.state) - reference);
    };
    std::size_t last = first;
    double mean = 0;
    for (; last < free_.size() && free_[last].place == place; ++last) mean += height(free_[last]);
    mean /= static_cast<double>(last - first);
    for (; first < last; ++first) {
      const double slope = height(free_[first]) - mean;
      squares += slope * slope;
      products_ += slope * free_[first].slope;
      free_[first].slope = slope;
    }
  }
  return squares;
}

// False where it gains little beside the most that a step gained. `before` is the sum of squares of the last slopes, 0 where there
// are none to go on from.
bool ChosenBlocks::step(double& most, double& before) {
  const std::size_t count = open_.size();
  const double squares = climb();
  const double keep = before > 0 ? std::max(0.0, (squares - products_) / before) : 0;
  before = squares;
  double uphill = 0, room = std::numeric_limits<double>::infinity();
  std::size_t nearest = 0;
  std::ranges::fill(moved_w_, 0.0);
  for (std::size_t k = 0; k < free_.size(); ++k) {
    Free& v = free_[k];
    v.step = v.slope + keep * v.step;
    uphill += v.slope * v.step;
    if (v.step < 0 && -v.mass / v.step < room) room = -v.mass / v.step, nearest = k;
    const StateBlock::Table& table = ones_[v.one].block->table();
    table.for_each_component(v.state, [&](Index c) { moved_w_[c * count + v.place] -= v.factor * v.step; });
    table.for_each_component(table.reference,
                             [&](Index c) { moved_w_[c * count + v.place] += v.factor * v.step; });
  }
  if (!(uphill > 0)) return false;
  std::ranges::fill(moved_z_, 0.0);
  double curvature = 0;
  for (std::size_t c = 0; c < components_; ++c) {
    const double* const w = moved_w_.data() + c * count;
    multiples_.clear();
    for (std::size_t a = 0; a < count; ++a)
      if (w[a] != 0) multiples_.push_back({open_k_.data() + a * count, w[a]});
    const std::span<double> z(moved_z_.data() + c * count, count);
    add_multiples(z, multiples_);
    for (std::size_t a = 0; a < count; ++a) curvature += w[a] * z[a];
  }
  const bool blocked = !(uphill < room * curvature);
  const double length = blocked ? room : uphill / curvature;
  if (length == std::numeric_limits<double>::infinity()) return false;
  const double gain = length * (uphill - 0.5 * length * curvature);
  add_multiple(open_z_, length, moved_z_);
  add_multiple(all_moved_w_, length, moved_w_);
  for (Free& v : free_) v.mass = std::max(0.0, v.mass + length * v.step);
  most = std::max(most, gain);
  if (!blocked) return gain > kLittle * most;
  free_[nearest].mass = 0;
  put_back();
  std::erase_if(free_, [&](const Free& v) { return v.mass == 0 || ones_[v.one].block->active().size() < 2; });
  before = 0;
  return true;
}

void ChosenBlocks::put_back() {
  for (std::size_t first = 0; first < free_.size();) {
    const std::size_t one = free_[first].one;
    std::vector<StateBlock::Active>& active = ones_[one].block->active();
    active.clear();
    for (; first < free_.size() && free_[first].one == one; ++first)
      if (free_[first].mass > 0) active.push_back({free_[first].state, free_[first].mass / ones_[one].kappa});
  }
}

void ChosenBlocks::spread() {
  for (std::size_t c = 0; c < components_; ++c) {
    multiples_.clear();
    for (std::size_t a = 0; a < open_.size(); ++a) {
      const double amount = all_moved_w_[c * open_.size() + a];
      if (amount == 0) continue;
      multiples_.push_back({k_.data() + open_[a] * size(), amount});
      change_[c * size() + open_[a]] += amount;
    }
    add_multiples({z_.data() + c * size(), size()}, multiples_);
  }
}

}  // namespace hinge
