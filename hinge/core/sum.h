// The one place where sums over examples are made, in an order that depends on the numbers of examples and
// weights alone: not on threads, and not on machines. The examples are cut into pieces, each piece is added up
// in the order of its examples, and the pieces are added as the leaves of a tree with four branches a node,
//
//     (p0 + p1 + p2 + p3) + (p4 + p5 + p6 + p7) + (p8 + p9)        from left to right
//
// so that whoever holds an aligned run of pieces can add that subtree by itself. (Two branches would take twice
// the room: one vector for each level of the tree.) Numbers that are there already are added in pairs, and the
// pairs in pairs.
//
// Of R ranks, rank r has the pieces [P r / R, P (r + 1) / R) of P. It adds the largest subtrees that lie in them;
// rank_sum.h does the rest.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "hinge/core/aligned_vector.h"
#include "hinge/core/executor.h"
#include "hinge/core/rank_sum.h"
#include "hinge/core/vector.h"

namespace hinge {

class WeightShares;

// Of numbers that are there: every number is a piece.
double tree_sum(std::span<const double> values);

// Of dense vectors, with a number beside each. Keeps its room from sum to sum.
class DenseSum {
 public:
  // sum = Σ over examples of what add(example, sum of its piece) adds there; returns Σ of what it returns. No
  // body may run twice at once for one piece; pieces may. `sum` is overwritten. Where there are ranks, a rank adds
  // the examples of its own pieces only.
  using Add = std::function<double(std::size_t example, std::span<double> sum)>;
  double operator()(std::size_t examples, Executor& executor, const Add& add, std::span<double> sum);

  // The same of the weights that a process works at: of the dense sums it takes those at[j], into sum[j].
  double operator()(std::size_t examples, Executor& executor, const Add& add, std::size_t dimension,
                    const WeightShares& shares, std::span<const Index> at, std::span<double> sum);

  // As many as the executor was told; else up to 16 of many examples, as long as their vectors stay below 128 MB, and up
  // to 64 where adding these takes at most 256 additions an example. Never by threads or ranks.
  static std::size_t pieces(std::size_t examples, std::size_t dimension, const Executor& executor);
  // The rank whose piece an example is in, of that many pieces.
  static std::size_t owner(std::size_t example, std::size_t examples, std::size_t pieces, std::size_t ranks);

 private:
  // The branches so far of a node. The first piece's sum is made in place, the others in rooms.
  struct Part {
    double value = 0;
    std::span<double> sum;
    AlignedVector room;
    int branches = 1;
  };
  // The sum over the pieces of a node; in `place`, or in a room where that is empty.
  Part subtree(const PieceNode& node, std::size_t examples, std::size_t count, Executor& executor,
               const Add& add, std::size_t dimension, std::span<double> place);
  // What ranks ask for: the sums of nodes, each made in a room.
  RankSum::Add of_nodes(std::size_t examples, std::size_t count, Executor& executor, const Add& add,
                        std::size_t dimension);
  Part part(std::size_t dimension, std::span<double> place);
  void add(Part& left, Part right);  // one branch more
  void give_back(Part part);

  std::vector<AlignedVector> rooms_;  // zero
  RankSum ranked_;
};

}  // namespace hinge
