// The tree over the pieces of a sum (sum.h) as ranks see it: which of its nodes each of them adds by itself, and in which
// order what they have added is put together.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hinge/core/vector.h"

namespace hinge {

// The tree over pieces has so many branches a node.
inline constexpr std::size_t kTreeBranches = 4;
struct PieceNode {
  std::size_t first, last;  // pieces
  friend bool operator==(const PieceNode&, const PieceNode&) = default;
};

class PieceTree {
 public:
  PieceTree(std::size_t pieces, std::size_t ranks);

  // The pieces [first, last) of a rank, and the largest nodes that lie in them, in order.
  static std::size_t first(std::size_t rank, std::size_t pieces, std::size_t ranks) {
    return pieces * rank / ranks;
  }
  const std::vector<PieceNode>& nodes(std::size_t rank) const { return nodes_[rank]; }

  // push(node, to) writes the `width` numbers of a node, which are zero; nodes are counted over all ranks. Leaves
  // the sums in `stack`.
  template <class Push>
  void add_up(std::size_t width, Vector& stack, const Push& push) const {
    stack.clear();
    for (const std::size_t step : steps_) {
      if (step != kAddition) {
        stack.resize(stack.size() + width, 0.0);
        push(step, std::span(stack).last(width));
        continue;
      }
      const std::size_t right = stack.size() - width;
      for (std::size_t j = 0; j < width; ++j) stack[right - width + j] += stack[right + j];
      stack.resize(right);
    }
  }

 private:
  static constexpr std::size_t kAddition = static_cast<std::size_t>(-1);
  std::vector<std::size_t> steps_;  // in the order in which the tree is added: a node, or kAddition
  std::vector<std::vector<PieceNode>> nodes_;
};

}  // namespace hinge
