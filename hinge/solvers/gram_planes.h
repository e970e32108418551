// The way of gram.h where an excess is no sum over rows, as measures of a whole sample are none: planes are found one at a
// time, at scores z of the rows, and kept as amounts a of rows, beside k a:
//
//     plane_p(z) = offset_p + <a_p, z>,      <slope_p, slope_q> = a_pᵀ k a_q,
//     w = (μ ŵ − Σ_b κ_b Σ_p α_bp a_p) / (1 + μ),      z = k w.
//
// It is the proximal bundle method (bundle.h) with a block for each example: ŵ is the best point so far, near which the next
// one stays, and any α bounds the objective from below by
//
//     dual = Σ_b κ_b Σ_p α_bp offset_p − 1/2 |Σ_b κ_b Σ_p α_bp a_p|²_k.
//
// A plane mostly differs from the one before in few rows, and only those rows of k are needed for it.
#pragma once

#include <limits>

#include "hinge/learning/objective.h"
#include "hinge/oracle/gram_oracle.h"

namespace hinge {

// Throws InputError where wᵀ k w is below 0, and not by the rounding of k; `size` is Σ_j |w_j| √k_jj, whose square bounds it.
void require_semidefinite(double square, double size);

class GramPlanes {
 public:
  // Begins at w; at 0 where that is empty.
  GramPlanes(const Objective& objective, const GramOracle& oracle, Vector w);

  const Vector& weights() const { return w_; }
  std::size_t planes() const { return planes_.size(); }
  double dual() const { return sums().dual(); }

  // Adds the planes that touch at the weights, and returns the objective there. ŵ follows where it has fallen enough.
  double touch();
  // α of all planes, to a tolerance in units of the objective; the weights follow.
  void step(double tolerance);
  void keep(Snapshot& snapshot) {
    snapshot(planes_, floor_, w_, z_, best_w_, best_z_, best_, mu_, promise_, price_);
  }

 private:
  struct Held {
    std::size_t block = 0;
    Plane amounts;
    Vector products;  // k a
    double alpha = 0;
    std::size_t idle = 0;      // steps since α was above 0
    std::vector<double> gram;  // with those before it, and itself
    void keep(Snapshot& snapshot) { snapshot(block, amounts, products, alpha, idle, gram); }
  };
  struct Sums {
    double offset = 0;  // Σ κ α offset
    Vector w, z;        // Σ κ α a, and k times it
    double dual() const { return offset - 0.5 * dot(w, z); }
  };
  class Ascent;

  void add(std::size_t block, const Plane& plane);
  void multiply(const SparseVector& amounts, Vector& out) const;  // out += k amounts
  double product(std::size_t p, std::size_t q) const {
    return p > q ? planes_[p].gram[q] : planes_[q].gram[p];
  }
  Sums sums() const;
  void place();         // w, z and scores by α
  double gap(Ascent&);  // Σ_b κ_b (best − mean) of the scores
  void prune();

  const Objective& objective_;
  const GramOracle& oracle_;
  std::vector<Held> planes_;
  std::vector<double> floor_;  // α of the plane 0 of each example
  Vector w_, z_, scores_;      // scores are those of the planes
  Vector best_w_, best_z_;     // ŵ
  double best_ = std::numeric_limits<double>::infinity();
  double mu_ = 10, promise_ = 0, price_ = 0;  // of the last step
};

}  // namespace hinge
