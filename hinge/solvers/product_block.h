// A block that holds every plane of its example (core/product_planes.h) without their slopes: the input once,
// and α of the few states that have any. One sweep over the rows of the input scores all states, and with the
// factors f
//
//     |slope_s − slope_t|² = |x|² (f_s² + f_t² + (f_s − f_t)²)     for s ≠ t,
//
// so that its Gram matrix is never made either.
#pragma once

#include <memory>
#include <vector>

#include "hinge/core/product_planes.h"
#include "hinge/core/snapshot.h"

namespace hinge {

class ProductBlock {
 public:
  // What blocks of one label share.
  struct Table {
    Index reference;
    Vector offset, factor;
    friend bool operator==(const Table&, const Table&) = default;
  };
  struct Column {
    Index state;
    double amount;
  };
  // Room for one block at a time: what `score` leaves is what `ascend` begins with.
  struct Scratch {
    Vector z, score, before;
    std::vector<Column> columns;
  };

  ProductBlock(const ProductPlanes& planes, std::shared_ptr<const Table> table);

  std::size_t planes() const;  // with α > 0, the zero plane not counted
  // What `score` costs, in multiplications of a sparse product: four states are scored at once.
  std::size_t work() const { return row_.size() * (table_->offset.size() / 4 + 1); }
  void prefetch() const;  // asks for the memory that `score` will read

  struct Value {
    double best, mean;  // max_s plane_s and Σ_s α_s plane_s
  };
  Value score(Weights w, Scratch& scratch) const;
  // Pairwise steps until best − mean ≤ enough. Moves w along and returns the gain.
  double ascend(double kappa, double enough, std::size_t max_steps, Scratch& scratch, Vector& w);
  // w += factor · Σ_s α_s slope_s
  void add_to(Vector& w, double factor, Scratch& scratch) const;
  void keep(Snapshot& snapshot) { snapshot(active_); }  // what is not the example's own

 private:
  struct Active {
    Index state;
    double alpha;
  };
  class Ascent;
  // w += factor · Σ_s (α_s − before_s) slope_s
  void move(double factor, Scratch& scratch, Vector& w) const;

  std::vector<Index> row_;
  std::vector<float> value_;
  double squared_norm_ = 0;  // of the input
  std::shared_ptr<const Table> table_;
  std::vector<Active> active_;
};

}  // namespace hinge
