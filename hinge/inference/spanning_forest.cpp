#include "hinge/inference/spanning_forest.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace hinge {
namespace {

constexpr Index kNowhere = 0xffffffff;

bool joins(const Partition* only, const ItemLink& link) {
  return only == nullptr || (*only)[link.first] == (*only)[link.second];
}

}  // namespace

double SpanningForest::Scores::of(const Forest& s) const {
  double sum = constant;
  for (const ItemLink& link : s) {
    if (!joins(only, link)) return kForbidden;
    sum += value(link);
  }
  return only != nullptr && s.size() != links(*only) ? kForbidden : sum;
}

// Whether Kruskal's algorithm takes the link of a before that of b.
inline bool SpanningForest::comes_before(const Reached& a, const Reached& b) {
  if (a.best != b.best) return a.best > b.best;
  if (a.from == kNowhere || b.from == kNowhere) return b.from == kNowhere && a.from != kNowhere;
  const auto apart = [](const Reached& r) { return r.item < r.from ? r.from - r.item : r.item - r.from; };
  if (apart(a) != apart(b)) return apart(a) < apart(b);
  return std::min(a.item, a.from) < std::min(b.item, b.from);
}

std::size_t SpanningForest::reach(const Scores& scores, Index from) {
  const double* row = scores.row(from);
  std::size_t next = 0;
  for (std::size_t k = 0; k < outside_.size(); ++k) {
    Reached& reached = outside_[k];
    const Index to = reached.item;
    const double value = to < from ? row[to] : scores.row(to)[from];
    if (value >= reached.best && (scores.only == nullptr || (*scores.only)[to] == (*scores.only)[from])) {
      const Reached offered{value, to, from};
      if (comes_before(offered, reached)) reached = offered;
    }
    if (reached.best >= outside_[next].best && comes_before(reached, outside_[next])) next = k;
  }
  return next;
}

double SpanningForest::solve(const Scores& scores, [[maybe_unused]] double output_temperature,
                             [[maybe_unused]] double latent_temperature, Counts& counts) {
  assert(output_temperature == 0 && latent_temperature == 0);
  const double enough = scores.only != nullptr ? kForbidden : 0;  // links above it are taken
  outside_.clear();
  for (Index i = 1; i < scores.items(); ++i) outside_.push_back({kForbidden, i, kNowhere});
  counts.subtracted_.clear();
  counts.chosen_.clear();
  double sum = scores.constant;
  for (Index at = 0; !outside_.empty();) {
    const std::size_t next = reach(scores, at);
    const Reached reached = outside_[next];
    outside_.erase(outside_.begin() + static_cast<std::ptrdiff_t>(next));
    at = reached.item;
    if (reached.from == kNowhere || !(reached.best > enough)) continue;
    sum += reached.best;
    counts.chosen_.push_back({std::min(at, reached.from), std::max(at, reached.from)});
  }
  std::ranges::sort(counts.chosen_, [](const ItemLink& a, const ItemLink& b) {
    return a.second != b.second ? a.second < b.second : a.first < b.first;
  });
  return sum;
}

bool SpanningForest::determines(const Partition& y) {
  std::vector<int> size(cluster_count(y), 0);
  for (const Index cluster : y)
    if (++size[cluster] > 2) return false;
  return true;
}

Forest SpanningForest::structure(const Partition& y) {
  std::vector<Index> last(cluster_count(y), kNowhere);
  Forest s;
  for (Index i = 0; i < y.size(); ++i) {
    if (last[y[i]] != kNowhere) s.push_back({last[y[i]], i});
    last[y[i]] = i;
  }
  return s;
}

Partition SpanningForest::partition(std::size_t items, const Forest& s) {
  DisjointSets trees(items);
  for (const ItemLink& link : s) trees.join(link.first, link.second);
  return trees.partition();
}

double SpanningForest::structures(const Scores& scores) {
  constexpr double forests[] = {1, 1, 2, 7, 38, 291, 2932};
  return scores.items() < std::size(forests) ? forests[scores.items()]
                                             : std::numeric_limits<double>::infinity();
}

void SpanningForest::for_each_structure(const Scores& scores, const std::function<void(const Forest&)>& f) {
  const std::size_t items = scores.items(), pairs = first_pair(items);
  assert(pairs < 64);
  for (std::uint64_t taken = 0; taken < std::uint64_t{1} << pairs; ++taken) {
    Forest s;
    DisjointSets trees(items);
    bool grows = true;
    for (Index j = 1, p = 0; j < items; ++j)
      for (Index i = 0; i < j; ++i, ++p)
        if (taken >> p & 1) {
          grows = grows && trees.join(i, j);
          s.push_back({i, j});
        }
    if (grows) f(s);
  }
}

}  // namespace hinge
