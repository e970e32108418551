// Partitions of n items into clusters, and the trees that grow into them.
#pragma once

#include <algorithm>
#include <cassert>
#include <numeric>
#include <vector>

#include "hinge/core/vector.h"

namespace hinge {

// The cluster of each item. Clusters are numbered 0, 1, 2, ... by their first items, so that equal partitions
// are equal vectors.
using Partition = std::vector<Index>;

inline std::size_t cluster_count(const Partition& y) {
  std::size_t count = 0;
  for (const Index cluster : y) count = std::max<std::size_t>(count, cluster + 1);
  return count;
}

// How many pairs share a cluster.
inline std::size_t pairs_together(const Partition& y) {
  std::vector<std::size_t> size(cluster_count(y), 0);
  std::size_t pairs = 0;
  for (const Index cluster : y) pairs += size[cluster]++;
  return pairs;
}

// The same clusters, whatever their numbers were (below n), numbered as above.
inline Partition renumbered(Partition y) {
  constexpr Index none = 0xffffffff;
  std::vector<Index> number(y.size(), none);
  Index count = 0;
  for (Index& cluster : y) {
    assert(cluster < number.size());
    if (number[cluster] == none) number[cluster] = count++;
    cluster = number[cluster];
  }
  return y;
}

// Items that are joined pair by pair.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t items) : parent_(items) { reset(items); }
  void reset(std::size_t items) {
    parent_.resize(items);
    std::iota(parent_.begin(), parent_.end(), Index{0});
  }

  Index root(Index item) {
    while (parent_[item] != item) item = parent_[item] = parent_[parent_[item]];
    return item;
  }
  // False when they were together already.
  bool join(Index a, Index b) {
    a = root(a);
    b = root(b);
    if (a == b) return false;
    parent_[std::max(a, b)] = std::min(a, b);
    return true;
  }
  Partition partition() {
    Partition y(parent_.size());
    for (Index i = 0; i < y.size(); ++i) y[i] = root(i);
    return renumbered(std::move(y));
  }

 private:
  std::vector<Index> parent_;
};

}  // namespace hinge
