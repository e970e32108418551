#include "hinge/inference/hierarchy.h"

#include "hinge/core/workspace.h"

#include <algorithm>
#include <cassert>

namespace hinge {

Hierarchy::Hierarchy(const std::vector<std::vector<Index>>& parents, std::vector<Index> answers)
    : answers_(std::move(answers)), answer_(parents.size(), 0) {
  for (const Index z : answers_) answer_[z] = 1;
  bool several = false;
  for (Index z = 0; z < parents.size(); ++z) {
    assert(std::ranges::all_of(parents[z], [&](Index p) { return p < z; }));
    main_.push_back(parents[z].empty() ? kNone : parents[z][0]);
    depth_.push_back(parents[z].empty() ? 0 : depth_[parents[z][0]] + 1);
    several = several || parents[z].size() > 1;
  }
  if (!several) return;
  const std::size_t count = parents.size();
  std::vector<std::vector<Index>> children(count);
  parent_begin_.push_back(0);
  more_begin_.push_back(0);
  std::vector<Index> mark(count, kNone), found;
  std::vector<std::size_t> all(count, 1);  // how many are above each
  for (Index z = 0; z < count; ++z) {
    for (const Index p : parents[z]) {
      parents_.push_back(p);
      children[p].push_back(z);
    }
    parent_begin_.push_back(static_cast<Index>(parents_.size()));
    if (!parents[z].empty())
      main_[z] = *std::ranges::max_element(parents[z], {}, [&](Index p) { return all[p]; });
    if (main_[z] != kNone) for_each_above(main_[z], [&](Index a) { mark[a] = z; });
    for (const Index p : parents[z])
      for_each_above(p, [&](Index a) {
        if (mark[a] == z) return;
        mark[a] = z;
        found.push_back(a);
      });
    if (main_[z] != kNone) all[z] = 1 + all[main_[z]] + found.size();
    std::ranges::sort(found);
    more_.insert(more_.end(), found.begin(), found.end());
    found.clear();
    more_begin_.push_back(static_cast<Index>(more_.size()));
  }
  child_begin_.push_back(0);
  for (const auto& of : children) {
    children_.insert(children_.end(), of.begin(), of.end());
    child_begin_.push_back(static_cast<Index>(children_.size()));
  }
}

bool Hierarchy::above(Index top, Index z) const {
  if (tree()) {
    while (z != kNone && z > top) z = main_[z];  // parents have smaller numbers
    return z == top;
  }
  bool found = false;
  for_each_above(z, [&](Index a) { found = found || a == top; });
  return found;
}

Index Hierarchy::distance(Index a, Index b) const {
  if (!tree()) {
    std::vector<Index>& all = scratch<std::vector<Index>, struct HierarchyAll>();
    distances(a, all);
    return all[b];
  }
  Index steps = 0;
  while (a != b) {
    Index& lower = depth_[a] >= depth_[b] ? a : b;
    lower = main_[lower];
    if (lower == kNone) return kFar;
    ++steps;
  }
  return steps;
}

void Hierarchy::distances(Index from, std::vector<Index>& out) const {
  out.assign(size(), kFar);
  if (tree()) {
    Index steps = 0;
    for (Index z = from; z != kNone; z = main_[z]) out[z] = steps++;
    for (Index z = 0; z < size(); ++z)
      if (out[z] == kFar && main_[z] != kNone && out[main_[z]] != kFar) out[z] = out[main_[z]] + 1;
    return;
  }
  std::vector<Index>& reached = scratch<std::vector<Index>, struct HierarchyReached>();
  reached.assign(1, from);
  out[from] = 0;
  for (std::size_t k = 0; k < reached.size(); ++k) {
    const Index z = reached[k];
    for (const auto next : {part(parent_begin_, parents_, z), part(child_begin_, children_, z)})
      for (const Index other : next)
        if (out[other] == kFar) out[other] = out[z] + 1, reached.push_back(other);
  }
}

void Hierarchy::below(Index top, std::vector<char>& out) const {
  out.assign(size(), 0);
  out[top] = 1;
  for (Index z = top + 1; z < size(); ++z) {
    if (tree()) {
      out[z] = main_[z] != kNone && out[main_[z]] != 0;
      continue;
    }
    for (const Index p : part(parent_begin_, parents_, z)) out[z] = out[z] | out[p];
  }
}

}  // namespace hinge
