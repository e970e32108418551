#include "hinge/core/piece_tree.h"

#include <algorithm>
#include <functional>

namespace hinge {
namespace {

// The nodes of the tree over `count` pieces that lie in [first, last) and in no larger one that does, in order.
void largest_inside(std::size_t begin, std::size_t span, std::size_t count, std::size_t first,
                    std::size_t last, std::vector<PieceNode>& out) {
  const std::size_t end = std::min(begin + span, count);
  if (begin >= last || end <= first) return;
  if (begin >= first && end <= last) return out.push_back({begin, end});
  for (std::size_t child = begin; child < end; child += span / kTreeBranches)
    largest_inside(child, span / kTreeBranches, count, first, last, out);
}

std::size_t span_over(std::size_t count) {
  std::size_t span = 1;
  while (span < count) span *= kTreeBranches;
  return span;
}

}  // namespace

PieceTree::PieceTree(std::size_t pieces, std::size_t ranks) : nodes_(ranks) {
  std::vector<PieceNode> all;
  for (std::size_t r = 0; r < ranks; ++r) {
    largest_inside(0, span_over(pieces), pieces, first(r, pieces, ranks), first(r + 1, pieces, ranks),
                   nodes_[r]);
    all.insert(all.end(), nodes_[r].begin(), nodes_[r].end());
  }
  std::size_t next = 0;  // nodes stand in the order in which the tree is gone through
  const std::function<void(std::size_t, std::size_t)> walk = [&](std::size_t begin, std::size_t width) {
    const std::size_t end = std::min(begin + width, pieces);
    if (all[next] == PieceNode{begin, end}) return steps_.push_back(next++);
    for (std::size_t child = begin; child < end; child += width / kTreeBranches) {
      walk(child, width / kTreeBranches);
      if (child > begin) steps_.push_back(kAddition);
    }
  };
  walk(0, span_over(pieces));
}

}  // namespace hinge
