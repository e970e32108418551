// What L-BFGS remembers of the Hessian: the last m steps s_k = w_k+1 − w_k with the changes of the gradient
// y_k = ∇_k+1 − ∇_k, and from them the direction −H g, where H is the BFGS approximation of the inverse
// Hessian that starts from γ I, γ = <s, y> / <y, y> of the newest pair (Nocedal 1980).
//
// The two-loop recursion is carried out on scalar products alone (Chen, Wang & Zhou 2014): one sweep over
// memory makes the newest pair and all products that are new, one sweep combines g and the pairs into the
// direction. That is 4 m vectors read an iteration, where the plain recursion moves 10 m. Pairs are stored in
// single precision, which halves this again and changes H, not the gradient: the products are those of the
// rounded pairs, so H is an exact BFGS matrix of nearby pairs and positive definite.
#pragma once

#include <vector>

#include "hinge/core/weight_shares.h"

namespace hinge {

class CurvaturePairs {
 public:
  // From one point to the next.
  struct Step {
    Weights from, to, gradient_from, gradient_to;
  };

  // Vectors are of the weights that `shares` has, which must outlive it.
  CurvaturePairs(std::size_t capacity, const WeightShares& shares);
  CurvaturePairs(std::size_t, const WeightShares&&) = delete;

  bool empty() const { return order_.empty(); }
  void clear() { order_.clear(); }

  // Remembers `step` (null only when empty) unless its curvature <s, y> is not positive, then
  // direction = −H gradient. Returns <gradient, direction>.
  double direction(const Step* step, Weights gradient, std::span<double> direction);
  void keep(Snapshot& snapshot) {
    for (Pair& pair : slots_) {
      shares_.keep(snapshot, pair.s);
      shares_.keep(snapshot, pair.y);
      snapshot(pair.s_g, pair.y_g, pair.s_y, pair.y_y, pair.s_weight, pair.y_weight);
    }
    snapshot(order_, gamma_);
  }

 private:
  struct Pair {
    std::vector<float> s, y;
    double s_g = 0, y_g = 0;       // <s, g>, <y, g>
    std::vector<double> s_y, y_y;  // products with the y of each slot (s_y: of slots that are not older)
    double s_weight = 0, y_weight = 0;
  };
  void make_room();
  void take_products(const Step& step, Weights gradient);
  void weigh_pairs(double gamma);
  double combine_pairs(Weights gradient, std::span<double> direction) const;

  const WeightShares& shares_;
  std::vector<Pair> slots_;
  std::vector<std::size_t> order_;  // slots in use, oldest first
  double gamma_ = 1;
};

}  // namespace hinge
