// A lower model of the objective, made of planes in blocks, and its dual.
//
//     model(w) = Ω(w) + Σ_b κ_b max over p in b of (offset_p + <slope_p, w>),       Ω(w) = 1/2 Σ_j r_j (w_j − w0_j)²
//
// Each block always holds a floor: the plane 0 where an excess is never negative, else the first that was found.
// Its dual gives every block a distribution α_b over its planes and is
//
//     D(α) = Ω(w) + Σ_b κ_b Σ_p α_bp (offset_p + <slope_p, w>)   at   w = w(α) = w0 − R⁻¹ Σ_b κ_b Σ_p α_bp slope_p.
//
// Where Ω bounds weights, w_j ≥ 0, each of those has a multiplier μ_j ≥ 0, a plane −μ_j w_j: w(α, μ) = w(α) + R⁻¹ μ. Any μ
// gives a lower bound; the best one for α, which is kept, makes w_j and μ_j the two parts of one number, of which one is 0.
//
// Planes lie below the objective, so D(α) is a lower bound on its minimum for every α. The model keeps w(α)
// and D(α) up to date, and each block's Gram matrix <slope_p, R⁻¹ slope_q>. One block is 1-slack and bundle,
// n blocks are n-slack and Frank-Wolfe. A block either collects planes or holds all that its example has.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "hinge/core/executor.h"
#include "hinge/core/plane.h"
#include "hinge/learning/regulariser.h"
#include "hinge/solvers/packed_slopes.h"
#include "hinge/solvers/product_block.h"

namespace hinge {

class PlaneModel {
 public:
  PlaneModel(Index dimension, Vector block_weights, Regulariser regulariser = {});

  std::size_t blocks() const { return blocks_.size(); }
  std::size_t planes() const { return planes_; }  // held, the floors not counted
  std::size_t planes(std::size_t block) const {
    return complete(block) ? blocks_[block].all->planes() : blocks_[block].count() - 1;
  }
  double block_weight(std::size_t block) const { return kappa_[block]; }
  Weights weights() const { return weights_; }  // w(α)
  double dual() const { return dual_; }         // D(α)
  // μ_j, 0 where weight j is not bounded.
  double multiplier(std::size_t j) const { return multiplier_.empty() ? 0 : multiplier_[j]; }
  std::uint64_t work() const { return work_; }  // multiplications so far: a clock that repeats

  // Puts a plane in the place of the plane 0, in a block that has no other.
  void set_floor(std::size_t block, const Plane& plane);
  bool floored(std::size_t block) const { return blocks_[block].floored; }
  // Adds a plane to a block with α = 0; a copy of one that is there already is not kept. Returns its place in
  // the block (0 in a complete block).
  std::size_t add(std::size_t block, const Plane& plane);
  // Gives a block without planes all that its example has. Only where all curvatures r_j are 1.
  void hold_all(std::size_t block, const ProductPlanes& planes);
  bool complete(std::size_t block) const { return blocks_[block].all.has_value(); }

  // max over the block's planes, and Σ_p α_p plane_p, both at w(α).
  struct BlockValue {
    double best, mean;
    double gap() const { return best - mean; }
  };
  BlockValue value(std::size_t block) { return value(block, weights_); }
  BlockValue value(std::size_t block, Weights w);  // at any other w

  // Maximises D over one block: pairwise steps with exact line search on its Gram matrix, until best − mean
  // is at most `tolerance` times what it was at first. Returns the block's value before and the gain in D.
  struct Step {
    BlockValue before;
    double gain;
  };
  Step optimize_block(std::size_t block, double tolerance = 0.01, std::size_t max_steps = 1000);

  // The same for several blocks at one w, each in a lane of its own. What takes a lane leaves w, D and all other
  // blocks alone, so that lanes may be used at the same time; then `settle`, for one lane after the other, goes
  // along the change δ of the block's α as far as is best at the w that the lanes before it have left:
  //
  //     D rises by  θ g − 1/2 θ² q     g = κ Σ_p δ_p plane_p(w),   q = |Δw|²_R,   θ = g / q in [0, 1]
  //
  // `optimize_lanes` does both, and settles while later lanes are still solved: these look at what they read of w
  // before the first is settled. A block may be in one lane at a time, and must not be complete.
  struct Lane {
    std::size_t block = 0;
    const double* row_of_w = nullptr;  // what its slopes read of w (PackedSlopes::row),
    Vector gathered;                   // perhaps here
    BlockValue before = {0, 0};
    Vector scores, old_alpha, change;
    double gain = 0, square = 0;  // of D at the lane's own w, and q
    std::uint64_t moves = 0;      // of w before
    // Σ_p δ_p slope_p along the block's list; where it has none, of all weights, or empty where few are moved.
    Vector row;
    std::uint64_t work = 0;
    std::ptrdiff_t planes = 0;  // that the block has more
  };
  std::size_t add(Lane& lane, const Plane& plane);
  void prune(Lane& lane, std::size_t age);
  // For each lane prepare(its number, w) first, if there is one, which may prune and add; settled(its number, its step) at
  // last.
  using Prepare = std::function<void(std::size_t lane, Weights w)>;
  using Settled = std::function<void(std::size_t lane, const Step& step)>;
  void optimize_lanes(std::span<Lane> lanes, double tolerance, Executor& executor, const Prepare& prepare,
                      const Settled& settled);
  // Says that a complete block will be next, so that its memory is on the way.
  void prefetch(std::size_t block) const {
    if (complete(block)) blocks_[block].all->prefetch();
  }
  // Σ_b κ_b gap_b at w(α): an upper bound on how far D(α) is below the model's own maximum.
  double gap();
  // Sweeps over the blocks, those with most to gain more often, until gap() ≤ tolerance or max_sweeps is
  // reached, or `stop` is true before a block. Returns gap().
  double optimize(double tolerance, const std::function<bool()>& stop = {}, std::size_t max_sweeps = 1000);

  // Drops planes with α = 0 that were not active in the last `age` calls of optimize_block on their block.
  void prune(std::size_t age);
  void prune_block(std::size_t block, std::size_t age);

  // The same planes and α under other block weights: a new C.
  void set_block_weights(Vector block_weights);
  // Adds by[b] to every plane of block b but the plane 0: a new linearisation of what the planes were made of.
  // α stays.
  void shift(std::span<const Plane> by);
  // Moves the centre w0 (proximal bundle). α stays.
  void set_centre(Weights centre);
  // w(α) and D(α) from α alone, which clears the drift of rounding.
  void rebuild(Executor& executor);
  void rebuild();

  // Planes and α, and what follows from them, to the last bit. A complete block takes its α only: it must be
  // complete before it is read.
  void keep(Snapshot& snapshot);

 private:
  struct Block {  // its first plane is the floor
    PackedSlopes slopes;
    std::vector<double> offset = {0}, alpha = {1};
    std::vector<double> gram = {0};         // row-major, count × count
    std::vector<std::uint32_t> idle = {0};  // calls of optimize_block since the plane last had α > 0
    std::optional<ProductBlock> all;        // instead of all that
    bool floored = false;                   // the floor is not the plane 0

    explicit Block(std::size_t weights) : slopes(weights) { slopes.append({}); }
    std::size_t count() const { return offset.size(); }
    void keep(Snapshot& snapshot);
  };

  void shift_block(std::size_t block, const Plane& by);
  double bound();  // the best multipliers for α; returns the gain in D
  void move(const Block& block, std::size_t p, double factor);  // weights += factor · R⁻¹ slope_p
  void move(const Lane& lane, double factor);                   // the same of Σ_p δ_p slope_p
  double along(const Lane& lane);                               // Σ_p δ_p plane_p(w)
  void look(Lane& lane, Weights w);
  void ascend(Lane& lane, double tolerance, std::size_t max_steps = 1000);
  Step settle(Lane& lane);
  // From the row of w.
  BlockValue score(const Block& block, const double* row, Vector& scores) const;
  BlockValue value(std::size_t block, Weights w, Vector& scores, ProductBlock::Scratch& room) const;
  std::uint64_t work_of(std::size_t block) const;  // of that
  class Ascent;
  void count(Lane& lane);  // its work and planes
  Step optimize_complete(std::size_t block, double tolerance, std::size_t max_steps);
  void add_all(std::size_t block, double factor);  // weights += factor · R⁻¹ Σ_p α_p slope_p

  Regulariser regulariser_;
  Vector inverse_curvature_;  // empty when all ones
  std::vector<Index> bounded_;
  Vector multiplier_;  // empty when nothing is bounded
  Vector kappa_;
  std::vector<Block> blocks_;
  StateBlock::Tables tables_;
  Vector weights_, still_;  // the second: as they were before the first lane was settled
  double dual_ = 0;
  std::size_t planes_ = 0;
  std::uint64_t work_ = 0, moves_ = 0;  // moves of w
  Lane lane_;                           // of calls for one block
  ProductBlock::Scratch scratch_;
};

}  // namespace hinge
