// A lower model of the objective, made of planes in blocks, and its dual.
//
//     model(w) = Ω(w) + Σ_b κ_b max over p in b of (offset_p + <slope_p, w>),       Ω(w) = 1/2 Σ_j r_j (w_j −
//     w0_j)²
//
// Each block always holds the plane 0 (an excess is never negative). Its dual gives every block a
// distribution α_b over its planes and is
//
//     D(α) = Ω(w) + Σ_b κ_b Σ_p α_bp (offset_p + <slope_p, w>)   at   w = w(α) = w0 − R⁻¹ Σ_b κ_b Σ_p α_bp
//     slope_p.
//
// Planes lie below the objective, so D(α) is a lower bound on its minimum for every α. The model keeps w(α)
// and D(α) up to date, and each block's Gram matrix <slope_p, R⁻¹ slope_q>. One block is 1-slack and bundle,
// n blocks are n-slack and Frank-Wolfe.
#pragma once

#include <cstdint>

#include "hinge/core/plane.h"
#include "hinge/learning/regulariser.h"
#include "hinge/solvers/packed_slopes.h"

namespace hinge {

class PlaneModel {
 public:
  PlaneModel(Index dimension, Vector block_weights, Regulariser regulariser = {});

  std::size_t blocks() const { return blocks_.size(); }
  std::size_t planes() const { return planes_; }  // held, the zero planes not counted
  std::size_t planes(std::size_t block) const { return blocks_[block].count() - 1; }
  double block_weight(std::size_t block) const { return kappa_[block]; }
  Weights weights() const { return weights_; }  // w(α)
  double dual() const { return dual_; }         // D(α)
  std::uint64_t work() const { return work_; }  // multiplications so far: a clock that repeats

  // Adds a plane to a block with α = 0; a copy of one that is there already is not kept. Returns its place in
  // the block.
  std::size_t add(std::size_t block, const Plane& plane);

  // max over the block's planes, and Σ_p α_p plane_p, both at w(α).
  struct BlockValue {
    double best, mean;
    double gap() const { return best - mean; }
  };
  BlockValue value(std::size_t block);

  // Maximises D over one block: pairwise steps with exact line search on its Gram matrix, until best − mean
  // is at most `tolerance` times what it was at first. Returns the block's value before and the gain in D.
  struct Step {
    BlockValue before;
    double gain;
  };
  Step optimize_block(std::size_t block, double tolerance = 0.01, std::size_t max_steps = 1000);
  // Σ_b κ_b gap_b at w(α): an upper bound on how far D(α) is below the model's own maximum.
  double gap();
  // Sweeps over the blocks, those with most to gain more often, until gap() ≤ tolerance or max_sweeps is
  // reached. Returns gap().
  double optimize(double tolerance, std::size_t max_sweeps = 1000);

  // Drops planes with α = 0 that were not active in the last `age` calls of optimize_block on their block.
  void prune(std::size_t age);
  void prune_block(std::size_t block, std::size_t age);

  // The same planes and α under other block weights: a new C.
  void set_block_weights(Vector block_weights);
  // Adds by[b] to every plane of block b but the zero plane: a new linearisation of what the planes were made
  // of. α stays.
  void shift(std::span<const Plane> by);
  // Moves the centre w0 (proximal bundle). α stays.
  void set_centre(Weights centre);
  // w(α) and D(α) from α alone, which clears the drift of rounding.
  void rebuild();

 private:
  struct Block {  // plane 0 is the zero plane
    PackedSlopes slopes = zero();
    std::vector<double> offset = {0}, alpha = {1};
    std::vector<double> gram = {0};         // row-major, count × count
    std::vector<std::uint32_t> idle = {0};  // calls of optimize_block since the plane last had α > 0

    std::size_t count() const { return offset.size(); }
    static PackedSlopes zero() {
      PackedSlopes slopes;
      slopes.append({});
      return slopes;
    }
  };

  void shift_block(std::size_t block, const Plane& by);
  double plane_at(const Block& block, std::size_t p) const;
  void move(const Block& block, std::size_t p, double factor);  // weights += factor · R⁻¹ slope_p
  BlockValue score(const Block& block);                         // fills scores_
  struct Exchange {
    std::size_t from;
    double mass, gain;
  };
  // The best step that gives mass to one plane of the block and takes it from another, at the current
  // scores_.
  Exchange best_exchange(const Block& block, double kappa, std::size_t to) const;

  Regulariser regulariser_;
  Vector inverse_curvature_;  // empty when all ones
  Vector kappa_;
  std::vector<Block> blocks_;
  Vector weights_;
  double dual_ = 0;
  std::size_t planes_ = 0;
  std::uint64_t work_ = 0;
  // scratch
  Vector dense_;  // a slope spread out; all zero between calls
  Vector scores_, old_alpha_, products_;
};

}  // namespace hinge
