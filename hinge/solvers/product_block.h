// A block that holds every plane of its example (core/product_planes.h) without their slopes: the input once,
// and α of the few states that have any (state_block.h). One sweep over the rows of the input scores all states.
#pragma once

#include "hinge/solvers/state_block.h"

namespace hinge {

class ProductBlock {
 public:
  using Scratch = StateBlock::Scratch;
  using Value = StateBlock::Value;

  ProductBlock(const ProductPlanes& planes, std::shared_ptr<const StateBlock::Table> table);

  std::size_t planes() const { return block_.planes(); }
  // What `score` costs, in multiplications of a sparse product: four components are scored at once.
  std::size_t work() const { return row_.size() * (block_.components() / 4 + 1); }
  void prefetch() const;  // asks for the memory that `score` will read

  Value score(Weights w, Scratch& scratch) const;
  // Pairwise steps until best − mean ≤ enough. Moves w along and returns the gain.
  double ascend(double kappa, double enough, std::size_t max_steps, Scratch& scratch, Vector& w);
  // w += factor · Σ_s α_s slope_s
  void add_to(Vector& w, double factor, Scratch& scratch) const;
  void keep(Snapshot& snapshot) { snapshot(block_); }

 private:
  void move(const Scratch& scratch, Vector& w) const;  // by its columns

  std::vector<Index> row_;
  std::vector<float> value_;
  StateBlock block_;
};

}  // namespace hinge
