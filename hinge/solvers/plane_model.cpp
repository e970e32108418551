#include "hinge/solvers/plane_model.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "hinge/core/errors.h"
#include "hinge/core/kernels.h"
#include "hinge/core/smooth_max.h"
#include "hinge/core/workspace.h"
#include "hinge/solvers/pairwise.h"

namespace hinge {

PlaneModel::PlaneModel(Index dimension, Vector block_weights, Regulariser regulariser)
    : regulariser_(std::move(regulariser)),
      kappa_(std::move(block_weights)),
      blocks_(kappa_.size(), Block(dimension)) {
  for (double r : regulariser_.curvature) inverse_curvature_.push_back(1 / r);
  weights_.assign(dimension, 0.0);
  if (!regulariser_.centre.empty()) weights_ = regulariser_.centre;
  for (std::size_t j = 0; j < regulariser_.nonnegative.size(); ++j)
    if (regulariser_.nonnegative[j]) bounded_.push_back(static_cast<Index>(j));
  if (!bounded_.empty()) rebuild();
}

double PlaneModel::bound() {
  double gain = 0;
  for (const Index j : bounded_) {
    const double r = regulariser_.curvature_at(j), w = weights_[j];
    const double next = std::max(multiplier_[j] - r * w, 0.0), change = next - multiplier_[j];
    if (change == 0) continue;
    gain -= change * (w + 0.5 * change / r);
    weights_[j] = next > 0 ? 0 : w + change / r;
    multiplier_[j] = next;
  }
  work_ += bounded_.size();
  return gain;
}

void PlaneModel::move(const Block& block, std::size_t p, double factor) {
  if (!inverse_curvature_.empty())
    block.slopes.for_each(
        p, [&](Index j, double value) { weights_[j] += factor * value * inverse_curvature_[j]; });
  else if (block.slopes.listed())
    block.slopes.for_each(p, [&](Index j, double value) { weights_[j] += factor * value; });
  else
    block.slopes.add(p, factor, weights_.data());
  work_ += block.slopes.size(p);
}

void PlaneModel::move(const Lane& lane, double factor) {
  const Block& block = blocks_[lane.block];
  if (lane.row.empty()) {
    for (std::size_t p = 0; p < block.count(); ++p)
      if (const double change = lane.change[p]; change != 0) move(block, p, factor * change);
    return;
  }
  const double* row = lane.row.data();
  const auto step = [&](std::size_t l, std::size_t j) {
    weights_[j] += factor * row[l] * inverse_curvature_[j];
  };
  const bool alike = inverse_curvature_.empty();
  if (block.slopes.listed()) {
    const std::vector<Index>& list = block.slopes.list();
    for (std::size_t l = 0; alike && l < list.size(); ++l) weights_[list[l]] += factor * row[l];
    for (std::size_t l = 0; !alike && l < list.size(); ++l) step(l, list[l]);
  } else {
    for (std::size_t j = 0; alike && j < lane.row.size(); ++j) weights_[j] += factor * row[j];
    for (std::size_t j = 0; !alike && j < lane.row.size(); ++j) step(j, j);
  }
  work_ += lane.row.size();
}

double PlaneModel::along(const Lane& lane) {
  const Block& block = blocks_[lane.block];
  double sum = 0;
  if (!lane.row.empty()) {
    sum = block.slopes.listed() ? kernels::sparse_dot(block.slopes.list().data(), lane.row.data(),
                                                      lane.row.size(), weights_.data())
                                : dot(lane.row, weights_);
    work_ += lane.row.size();
  }
  for (std::size_t p = 0; p < block.count(); ++p)
    if (const double change = lane.change[p]; change != 0) {
      sum += change * block.offset[p];
      if (!lane.row.empty()) continue;
      sum += change * block.slopes.dot(p, weights_.data());
      work_ += block.slopes.size(p);
    }
  return sum;
}

void PlaneModel::hold_all(std::size_t b, const ProductPlanes& planes) {
  assert(inverse_curvature_.empty() && !complete(b) && blocks_[b].count() == 1);
  blocks_[b].all.emplace(planes, tables_.of(planes));
}

void PlaneModel::set_floor(std::size_t b, const Plane& plane) {
  Block& block = blocks_[b];
  assert(!complete(b) && block.count() == 1);
  move(block, 0, kappa_[b]);
  block.slopes = PackedSlopes(weights_.size());
  block.slopes.append(plane.slope);
  block.offset = {plane.offset};
  block.gram = {plane.slope.dot(plane.slope, inverse_curvature_)};
  block.floored = true;
  move(block, 0, -kappa_[b]);
}

std::size_t PlaneModel::add(std::size_t b, const Plane& plane) {
  if (complete(b)) return 0;
  lane_.block = b;
  const std::size_t place = add(lane_, plane);
  count(lane_);
  return place;
}

std::size_t PlaneModel::add(Lane& lane, const Plane& plane) {
  Block& block = blocks_[lane.block];
  const std::size_t m = block.count();
  for (std::size_t p = 0; p < m; ++p)
    if (block.offset[p] == plane.offset && block.slopes.equals(p, plane.slope)) return p;

  // Its row of the Gram matrix.
  block.slopes.append(plane.slope);
  Vector& spread = scratch<Vector, struct SpreadSlope>();  // all zero between calls
  const std::size_t places = block.slopes.listed() ? block.slopes.list().size() : weights_.size();
  if (spread.size() < places) spread.resize(places, 0.0);
  block.slopes.for_each_place(m, [&](std::size_t place, Index j, double value) {
    spread[place] = inverse_curvature_.empty() ? value : value * inverse_curvature_[j];
  });
  Vector& products = lane.change;
  products.resize(m + 1);
  block.slopes.dots(spread.data(), products.data());
  block.slopes.for_each_place(m, [&](std::size_t place, Index, double) { spread[place] = 0; });
  lane.work += block.slopes.size() + 2 * plane.slope.size();

  block.offset.push_back(plane.offset);
  block.alpha.push_back(0);
  block.idle.push_back(0);
  block.gram.resize((m + 1) * (m + 1));
  double* gram = block.gram.data();
  for (std::size_t p = m; p-- > 0;) {  // widen the rows in place, the last one first
    std::copy_backward(gram + p * m, gram + (p + 1) * m, gram + p * (m + 1) + m);
    gram[p * (m + 1) + m] = products[p];
  }
  std::copy_n(products.data(), m + 1, gram + m * (m + 1));
  ++lane.planes;
  return m;
}

PlaneModel::BlockValue PlaneModel::value(std::size_t b, Weights w) {
  work_ += work_of(b);
  return value(b, w, lane_.scores, scratch_);
}

std::uint64_t PlaneModel::work_of(std::size_t b) const {
  return complete(b) ? blocks_[b].all->work() : blocks_[b].slopes.size();
}

PlaneModel::BlockValue PlaneModel::value(std::size_t b, Weights w, Vector& scores,
                                         ProductBlock::Scratch& room) const {
  if (!complete(b)) {
    const Block& block = blocks_[b];
    return score(block, block.slopes.row(w.data(), scratch<Vector, struct GatheredWeights>()), scores);
  }
  const auto [best, mean] = blocks_[b].all->score(w, room);
  return {best, mean};
}

PlaneModel::BlockValue PlaneModel::score(const Block& block, const double* row, Vector& scores) const {
  const std::size_t m = block.count();
  scores.resize(m);
  block.slopes.dots(row, scores.data());
  BlockValue value{kForbidden, 0};
  for (std::size_t p = 0; p < m; ++p) {
    scores[p] += block.offset[p];
    value.best = std::max(value.best, scores[p]);
    value.mean += block.alpha[p] * scores[p];
  }
  return value;
}

// A block of collected planes as pairwise.h sees it.
class PlaneModel::Ascent {
 public:
  Ascent(Block& block, Lane& lane) : block_(block), lane_(lane), m_(block.count()) {}

  std::size_t highest() const { return arg_max(lane_.scores); }
  double score(std::size_t p) const { return lane_.scores[p]; }
  double mean() const { return dot(block_.alpha, lane_.scores); }
  template <class F>
  void for_each_active(F&& f) const {
    for (std::size_t p = 0; p < m_; ++p)
      if (block_.alpha[p] > 0) f(p, block_.alpha[p]);
  }
  double distance(std::size_t p, std::size_t q) const { return row(p)[p] + row(q)[q] - 2 * row(p)[q]; }
  void exchange(std::size_t from, std::size_t to, double mass, double weighted_mass) {
    block_.alpha[to] += mass;
    block_.alpha[from] = mass == block_.alpha[from] ? 0 : block_.alpha[from] - mass;
    const double *to_row = row(to), *from_row = row(from);
    for (std::size_t p = 0; p < m_; ++p) lane_.scores[p] -= weighted_mass * (to_row[p] - from_row[p]);
    lane_.work += 4 * m_;
  }

 private:
  const double* row(std::size_t p) const { return block_.gram.data() + p * m_; }

  Block& block_;
  Lane& lane_;
  std::size_t m_;
};

PlaneModel::Step PlaneModel::optimize_block(std::size_t b, double tolerance, std::size_t max_steps) {
  if (complete(b)) return optimize_complete(b, tolerance, max_steps);
  lane_.block = b;
  lane_.moves = moves_;
  look(lane_, weights_);
  ascend(lane_, tolerance, max_steps);
  return settle(lane_);
}

void PlaneModel::optimize_lanes(std::span<Lane> lanes, double tolerance, Executor& executor,
                                const Prepare& prepare, const Settled& settled) {
  for (Lane& lane : lanes) lane.moves = moves_;
  const auto look = [&](std::size_t k, Weights w) {
    if (prepare) prepare(k, w);
    this->look(lanes[k], w);
  };
  const auto solve = [&](std::size_t k) { ascend(lanes[k], tolerance); };
  const auto finish = [&](std::size_t k) { settled(k, settle(lanes[k])); };
  // Where weights are few a copy of them stands still, and nothing else need be looked at first. Where they are so many
  // that blocks list theirs, these gather them. Between the two lanes are solved before any is settled.
  constexpr std::size_t kFew = std::size_t{1} << 14;
  const bool alone = executor.workers() == 1, few = weights_.size() <= kFew;
  if (few && !alone) still_ = weights_;
  const Vector& w = few && !alone ? still_ : weights_;
  const auto both = [&](std::size_t k) {
    look(k, w);
    solve(k);
  };
  if (few || alone)
    executor.run_in_order(lanes.size(), {}, both, finish);
  else if (weights_.size() > PackedSlopes::kNear)
    executor.run_in_order(
        lanes.size(), [&](std::size_t k) { look(k, w); }, solve, finish);
  else
    executor.run_in_order(
        lanes.size(), both, [](std::size_t) {}, finish);
}

void PlaneModel::look(Lane& lane, Weights w) {
  lane.row_of_w = blocks_[lane.block].slopes.row(w.data(), lane.gathered);
}

void PlaneModel::ascend(Lane& lane, double tolerance, std::size_t max_steps) {
  Block& block = blocks_[lane.block];
  lane.before = score(block, lane.row_of_w, lane.scores);
  lane.work += block.slopes.size();
  lane.gain = 0;
  if (lane.before.gap() <= 0) return;
  lane.old_alpha = block.alpha;
  lane.change = lane.scores;
  Ascent ascent(block, lane);
  lane.gain = pairwise_ascent(ascent, kappa_[lane.block], tolerance * lane.before.gap(), max_steps);
  // κ Σ δ (scores before − scores after) = κ² |Σ δ slope|²; `change`, the scores before, becomes δ
  lane.square = 0;
  std::size_t changed = 0;  // entries of the slopes that move w
  for (std::size_t p = 0; p < block.count(); ++p) {
    const double change = block.alpha[p] - lane.old_alpha[p];
    lane.square += kappa_[lane.block] * change * (lane.change[p] - lane.scores[p]);
    lane.change[p] = change;
    if (change != 0) changed += block.slopes.size(p);
  }
  lane.row.clear();
  if (!block.slopes.listed() && 2 * changed < weights_.size()) return;
  lane.row.resize(block.slopes.listed() ? block.slopes.list().size() : weights_.size(), 0.0);
  for (std::size_t p = 0; p < block.count(); ++p)
    if (lane.change[p] != 0) block.slopes.add(p, lane.change[p], lane.row.data());
  lane.work += changed;
}

PlaneModel::Step PlaneModel::settle(Lane& lane) {
  Block& block = blocks_[lane.block];
  const std::size_t m = block.count();
  const double kappa = kappa_[lane.block];
  Step step{lane.before, 0};
  if (lane.gain > 0) {
    double share = 1;
    step.gain = lane.gain;
    if (moves_ != lane.moves) {  // w is another than the one it was solved at
      const double slope = kappa * along(lane);
      share = slope <= 0 ? 0 : slope < lane.square ? slope / lane.square : 1;
      step.gain = share * (slope - 0.5 * share * lane.square);
    }
    for (std::size_t p = 0; share != 1 && p < m; ++p)
      block.alpha[p] = lane.old_alpha[p] + share * lane.change[p];
    move(lane, -kappa * share);
    step.gain += bound();
    dual_ += step.gain;
    ++moves_;
  }
  for (std::size_t p = 1; p < m; ++p) block.idle[p] = block.alpha[p] > 0 ? 0 : block.idle[p] + 1;
  count(lane);
  return step;
}

void PlaneModel::count(Lane& lane) {
  work_ += std::exchange(lane.work, 0);
  planes_ += static_cast<std::size_t>(std::exchange(lane.planes, 0));
}

PlaneModel::Step PlaneModel::optimize_complete(std::size_t b, double tolerance, std::size_t max_steps) {
  ProductBlock& block = *blocks_[b].all;
  Step step{value(b), 0};
  if (step.before.gap() <= 0) return step;
  planes_ -= block.planes();
  step.gain = block.ascend(kappa_[b], tolerance * step.before.gap(), max_steps, scratch_, weights_);
  planes_ += block.planes();
  work_ += block.work();
  step.gain += bound();
  dual_ += step.gain;
  ++moves_;
  return step;
}

double PlaneModel::gap() {
  double sum = 0;
  for (std::size_t b = 0; b < blocks(); ++b) sum += kappa_[b] * value(b).gap();
  return sum;
}

double PlaneModel::optimize(double tolerance, const std::function<bool()>& stop, std::size_t max_sweeps) {
  constexpr std::size_t kShortSweeps = 10;  // over the blocks with most to gain, for each sweep over all
  Vector gaps(blocks());
  double total = 0;
  for (std::size_t sweep = 0; sweep < max_sweeps; ++sweep) {
    const bool all = sweep % (kShortSweeps + 1) == 0;
    const double least = all ? -1 : 0.1 * total / static_cast<double>(blocks());
    for (std::size_t b = 0; b < blocks(); ++b) {
      if (!(gaps[b] > least)) continue;
      if (stop && stop()) return gap();
      gaps[b] = kappa_[b] * optimize_block(b).before.gap();
    }
    if (all) total = std::accumulate(gaps.begin(), gaps.end(), 0.0);
    if (all && total <= tolerance && gap() <= tolerance) break;
  }
  return gap();
}

void PlaneModel::prune(std::size_t age) {
  for (std::size_t b = 0; b < blocks(); ++b) prune_block(b, age);
}

void PlaneModel::prune_block(std::size_t b, std::size_t age) {
  if (complete(b)) return;
  lane_.block = b;
  prune(lane_, age);
  count(lane_);
}

void PlaneModel::prune(Lane& lane, std::size_t age) {
  Block& block = blocks_[lane.block];
  const std::size_t m = block.count();
  std::vector<std::size_t> kept = {0};
  for (std::size_t p = 1; p < m; ++p)
    if (block.alpha[p] > 0 || block.idle[p] <= age) kept.push_back(p);
  if (kept.size() == m) return;

  for (std::size_t k = 0; k < kept.size(); ++k) {
    const std::size_t p = kept[k];
    block.offset[k] = block.offset[p];
    block.alpha[k] = block.alpha[p];
    block.idle[k] = block.idle[p];
    // Rows and columns move up or left, never over one that is still needed.
    for (std::size_t l = 0; l < kept.size(); ++l)
      block.gram[k * kept.size() + l] = block.gram[p * m + kept[l]];
  }
  block.slopes.keep(kept);
  block.offset.resize(kept.size());
  block.alpha.resize(kept.size());
  block.idle.resize(kept.size());
  block.gram.resize(kept.size() * kept.size());
  lane.planes -= static_cast<std::ptrdiff_t>(m - kept.size());
}

void PlaneModel::set_block_weights(Vector block_weights) {
  assert(block_weights.size() == kappa_.size());
  kappa_ = std::move(block_weights);
  rebuild();
}

void PlaneModel::shift(std::span<const Plane> by) {
  assert(by.size() == blocks());
  for (std::size_t b = 0; b < blocks(); ++b)
    if (by[b].offset != 0 || !by[b].slope.empty()) shift_block(b, by[b]);
  rebuild();
}

void PlaneModel::shift_block(std::size_t b, const Plane& by) {
  assert(!complete(b));
  const Block old = std::exchange(blocks_[b], Block(weights_.size()));
  planes_ -= old.count() - 1;
  Block& block = blocks_[b];
  block.offset.reserve(old.count());
  block.alpha.reserve(old.count());
  block.idle.reserve(old.count());
  block.gram.reserve(old.gram.size());
  Plane plane;
  SparseVector slope;
  if (old.floored) {
    old.slopes.copy(0, slope);
    combine(slope, 1, by.slope, plane.slope);
    plane.offset = old.offset[0] + by.offset;
    set_floor(b, plane);
  }
  block.alpha[0] = old.alpha[0];
  for (std::size_t p = 1; p < old.count(); ++p) {
    old.slopes.copy(p, slope);
    combine(slope, 1, by.slope, plane.slope);
    plane.offset = old.offset[p] + by.offset;
    const std::size_t place = add(b, plane);  // rounding may make two planes one
    block.alpha[place] += old.alpha[p];
    block.idle[place] = old.idle[p];
  }
}

void PlaneModel::set_centre(Weights centre) {
  regulariser_.centre.assign(centre.begin(), centre.end());
  rebuild();
}

void PlaneModel::add_all(std::size_t b, double factor) {
  const Block& block = blocks_[b];
  if (block.all) return block.all->add_to(weights_, factor, scratch_);
  for (std::size_t p = 0; p < block.count(); ++p)
    if (block.alpha[p] > 0) move(block, p, factor * block.alpha[p]);
}

void PlaneModel::Block::keep(Snapshot& snapshot) {
  bool complete = all.has_value();
  snapshot(complete);
  if (complete && !all)
    fail("the kept state has all planes of an example, whose oracle lists none: it is of another run.");
  if (!complete) all.reset();
  if (complete)
    all->keep(snapshot);
  else
    snapshot(slopes, offset, alpha, gram, idle, floored);
}

void PlaneModel::keep(Snapshot& snapshot) {
  const std::size_t blocks = kappa_.size(), dimension = weights_.size();
  snapshot(regulariser_.centre, kappa_, multiplier_, weights_, dual_, planes_, work_);
  if (kappa_.size() != blocks || weights_.size() != dimension)
    fail("the kept state is of a run with other sizes.");
  for (Block& block : blocks_) block.keep(snapshot);
}

void PlaneModel::rebuild() {
  SerialExecutor serial;
  rebuild(serial);
}

void PlaneModel::rebuild(Executor& executor) {
  for (std::size_t j = 0; j < weights_.size(); ++j) weights_[j] = regulariser_.centre_at(j);
  planes_ = 0;
  for (std::size_t b = 0; b < blocks(); ++b) {
    add_all(b, -kappa_[b]);
    planes_ += planes(b);
  }
  ++moves_;
  if (!bounded_.empty()) multiplier_.assign(weights_.size(), 0.0);
  bound();
  dual_ = regulariser_.quadratic(weights_);  // and no μ_j w_j is left
  Vector means(blocks());
  executor.run(blocks(), [&](std::size_t b) {
    means[b] = value(b, weights_, scratch<Vector, struct RebuiltScores>(),
                     scratch<ProductBlock::Scratch, struct RebuiltProducts>())
                   .mean;
  });
  for (std::size_t b = 0; b < blocks(); ++b) {
    dual_ += kappa_[b] * means[b];
    work_ += work_of(b);
  }
}

}  // namespace hinge
