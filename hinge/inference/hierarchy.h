// Nodes in a tree, or in a graph without circles where a node may have several parents. Parents have smaller
// numbers than their children, and some of the nodes are answers. What stands above a node is counted once:
//
//     above(z) = {z} ∪ above(main parent of z) ∪ more(z),     more(z) empty in a tree
//
// so that sums over above(z) of every z take one pass over the nodes. The main parent is the one with the most above it,
// which leaves the least for more(z).
#pragma once

#include <span>
#include <vector>

#include "hinge/core/vector.h"

namespace hinge {

class Hierarchy {
 public:
  static constexpr Index kNone = 0xffffffff;

  // parents[z] are below z; empty for a root. Answers ascend.
  Hierarchy(const std::vector<std::vector<Index>>& parents, std::vector<Index> answers);

  std::size_t size() const { return main_.size(); }
  bool tree() const { return more_.empty() && children_.empty(); }
  const std::vector<Index>& answers() const { return answers_; }
  bool answer(Index z) const { return answer_[z] != 0; }
  Index main_parent(Index z) const { return main_[z]; }  // kNone for a root
  Index first_parent(Index z) const {  // the same in a tree; else that of the smallest number
    return tree() || main_[z] == kNone ? main_[z] : parents_[parent_begin_[z]];
  }
  // What is above z and not above its main parent, but for z itself; ascends.
  std::span<const Index> more(Index z) const { return part(more_begin_, more_, z); }

  // f(z) for each node above z, and z itself.
  template <class F>
  void for_each_above(Index z, F&& f) const {
    for (; z != kNone; z = main_[z]) {
      f(z);
      for (const Index other : more(z)) f(other);
    }
  }
  bool above(Index top, Index z) const;  // or the same

  // The number of edges on a shortest way between two nodes; kFar where there is none.
  static constexpr Index kFar = 0x7fffffff;
  Index distance(Index a, Index b) const;
  // The same from one node to all, in O(nodes + edges).
  void distances(Index from, std::vector<Index>& out) const;
  // out[z] = whether z is `top` or below it.
  void below(Index top, std::vector<char>& out) const;

 private:
  static std::span<const Index> part(const std::vector<Index>& begin, const std::vector<Index>& all,
                                     Index z) {
    if (all.empty()) return {};
    return {all.data() + begin[z], begin[z + 1] - begin[z]};
  }

  std::vector<Index> main_, depth_;       // the main parent; how far the root is along these, in a tree
  std::vector<Index> more_begin_, more_;  // empty in a tree
  std::vector<Index> parent_begin_, parents_, child_begin_, children_;  // all of them; empty in a tree
  std::vector<Index> answers_;
  std::vector<char> answer_;
};

}  // namespace hinge
