// What is wanted of the features of unlabelled examples, stacked as one vector v: a convex penalty
//
//     Γ(v) = Σ weight |v_k − target|                                single coordinates (L1 to a target)
//          + Σ weight max(0, target − <a, v>)                       hinges
//          + Σ weight |mean − target|, or one side of it,           means: scale · Σ over coordinates of v_k
//
// one term a block, so that each is a function of few coordinates, or of one number. At a kink its subgradient
// is 0.
#pragma once

#include <vector>

#include "hinge/core/plane.h"
#include "hinge/inference/constraints.h"

namespace hinge {

class Gamma {
 public:
  struct Coordinate {
    Index place;
    double weight, target;
  };
  struct Hinge {
    double weight, target;
    SparseVector a;
    std::size_t example;  // whose coordinates they are
  };
  struct Mean {
    enum class Kind { about, at_least, at_most };
    double weight, target, scale;
    std::vector<Index> places;  // ascending
    Kind kind = Kind::about;
  };
  std::vector<Coordinate> coordinates;
  std::vector<Hinge> hinges;
  std::vector<Mean> means;

  // What the rules want; the features of example j begin at first[j]. Hard rules want nothing more.
  static Gamma of(const std::vector<RulePenalty>& rules, const std::vector<const Constraints*>& examples,
                  std::span<const Index> first);

  std::size_t size() const { return coordinates.size() + hinges.size() + means.size(); }  // of terms
  // The plane of a term that touches at v, with its constants times `constants`: of the function
  // constants · term(v / constants). Places count from `first` on. Returns the value there.
  double touch(std::size_t term, Weights v, double constants, Index first, Plane& out) const;
  double value(Weights v) const;
  // A constant L with |Γ(u) − Γ(v)| ≤ L |u − v|₂: that of each kind of term, added.
  double lipschitz() const;

 private:
  // The term as weight · |value| or weight · max(0, value).
  struct Residual {
    double weight, value;
    bool two_sided;
  };
  Residual residual(std::size_t term, Weights v, double constants) const;
};

}  // namespace hinge
