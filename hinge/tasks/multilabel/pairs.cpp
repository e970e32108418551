#include "hinge/tasks/multilabel/pairs.h"

#include <algorithm>
#include <cmath>

namespace hinge {
namespace {

// Sums of weights by the states of two labels, where both are known.
class PairCounts {
 public:
  PairCounts(Index labels, const std::vector<LabelSet>& sets, const std::vector<double>& weights)
      : labels_(labels), present_(cells()), unknown_(cells()), mixed_(cells()) {
    std::vector<Index> present, unknown;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      present.clear();
      unknown.clear();
      for (Index l = 0; l < labels; ++l)
        if (sets[i].states[l] == 1)
          present.push_back(l);
        else if (sets[i].states[l] == kUnknown)
          unknown.push_back(l);
      total_ += weights[i];
      for (const Index a : present) {
        for (const Index b : present) present_[at(a, b)] += weights[i];
        for (const Index b : unknown) mixed_[at(a, b)] += weights[i];
      }
      for (const Index a : unknown)
        for (const Index b : unknown) unknown_[at(a, b)] += weights[i];
    }
  }

  void get(Index a, Index b, double (&counts)[4]) const {
    const double known = total_ - unknown_[at(a, a)] - unknown_[at(b, b)] + unknown_[at(a, b)];
    const double first = present_[at(a, a)] - mixed_[at(a, b)],
                 second = present_[at(b, b)] - mixed_[at(b, a)];
    counts[3] = present_[at(a, b)];
    counts[2] = first - counts[3];
    counts[1] = second - counts[3];
    counts[0] = known - first - second + counts[3];
  }

 private:
  std::size_t cells() const { return std::size_t{labels_} * labels_; }
  std::size_t at(Index a, Index b) const { return std::size_t{a} * labels_ + b; }

  Index labels_;
  double total_ = 0;
  std::vector<double> present_, unknown_, mixed_;  // both present, both unknown, first present second unknown
};

// Prim's: the tree grows from label 0 by its most informative pair.
std::vector<Graph::Edge> spanning_tree(Index labels, const PairCounts& pairs) {
  std::vector<double> best(labels, -1);
  std::vector<Index> from(labels, 0);
  std::vector<char> done(labels, 0);
  std::vector<Graph::Edge> edges;
  for (Index added = 0, last = 0; added + 1 < labels; ++added) {
    done[last] = 1;
    for (Index l = 0; l < labels; ++l) {
      if (done[l]) continue;
      double counts[4];
      pairs.get(std::min(last, l), std::max(last, l), counts);
      if (const double known = mutual_information(counts); known > best[l]) best[l] = known, from[l] = last;
    }
    last = labels;
    for (Index l = 0; l < labels; ++l)
      if (!done[l] && (last == labels || best[l] > best[last])) last = l;
    edges.push_back({std::min(from[last], last), std::max(from[last], last)});
  }
  std::ranges::sort(edges, {}, [](const Graph::Edge& e) { return std::pair(e.from, e.to); });
  return edges;
}

}  // namespace

double mutual_information(const double (&counts)[4]) {
  const double total = counts[0] + counts[1] + counts[2] + counts[3];
  if (!(total > 0)) return 0;
  double sum = 0;
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t t = 0; t < 2; ++t) {
      const double both = counts[2 * s + t] / total;
      const double product =
          (counts[2 * s] + counts[2 * s + 1]) / total * ((counts[t] + counts[2 + t]) / total);
      if (both > 0) sum += both * std::log(both / product);
    }
  return std::max(sum, 0.0);
}

std::vector<Graph::Edge> choose_pairs(const std::string& which, Index labels,
                                      const std::vector<LabelSet>& sets, const std::vector<double>& weights) {
  if (which == "tree") return spanning_tree(labels, PairCounts(labels, sets, weights));
  std::vector<Graph::Edge> edges;
  if (which == "all")
    for (Index a = 0; a < labels; ++a)
      for (Index b = a + 1; b < labels; ++b) edges.push_back({a, b});
  return edges;
}

}  // namespace hinge
