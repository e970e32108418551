#include "hinge/tasks/multilabel/pairs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>

#include "hinge/core/errors.h"
#include "hinge/core/vector.h"

namespace hinge {
namespace {

// With what inference keeps of each, some gigabytes.
constexpr std::size_t kMostPairs = 10'000'000;

// Lists of numbers, one after the other.
class Lists {
 public:
  explicit Lists(std::size_t lists) : first_(lists + 1) {}
  void count(std::size_t list) { ++first_[list + 1]; }  // of each number, before any is added
  void begin() {
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    end_.assign(first_.begin(), first_.end() - 1);
    numbers_.resize(first_.back());
  }
  void add(std::size_t list, std::size_t number) { numbers_[end_[list]++] = static_cast<Index>(number); }
  std::span<const Index> operator[](std::size_t list) const {
    return {numbers_.data() + first_[list], numbers_.data() + first_[list + 1]};
  }

 private:
  std::vector<std::size_t> first_, end_;
  std::vector<Index> numbers_;
};

// The labels of one state in each row, and the rows of each label.
struct Places {
  Places(int state, Index count, const std::vector<LabelSet>& sets, const std::vector<double>& weights)
      : labels(sets.size()), rows(count), sums(count) {
    const auto each = [&](const auto& f) {
      for (std::size_t i = 0; i < sets.size(); ++i)
        for (Index l = 0; l < sums.size(); ++l)
          if (sets[i].states[l] == state) f(i, l);
    };
    each([&](std::size_t i, Index l) { labels.count(i), rows.count(l); });
    labels.begin(), rows.begin();
    each([&](std::size_t i, Index l) { labels.add(i, l), rows.add(l, i), sums[l] += weights[i]; });
  }
  Lists labels, rows;
  Vector sums;  // of weights
};

// Sums of weights by the states of two labels, where both are known. Those of one label and each other are made when they are
// asked for, from the rows that have it: no table has all pairs.
class PairCounts {
 public:
  PairCounts(Index labels, const std::vector<LabelSet>& sets, const std::vector<double>& weights)
      : weights_(weights),
        present_(1, labels, sets, weights),
        unknown_(kUnknown, labels, sets, weights),
        kinds_(labels),
        met_(labels) {
    for (const double weight : weights) total_ += weight;
    std::map<std::pair<double, double>, Index> numbers;
    for (Index l = 0; l < labels; ++l) {
      const std::pair sums(present_.sums[l], unknown_.sums[l]);
      kinds_[l] = numbers.try_emplace(sums, static_cast<Index>(numbers.size())).first->second;
    }
  }

  void choose(Index label) {
    label_ = label;
    std::ranges::fill(met_, 0);
    add(present_, present_, both_present_);
    add(present_, unknown_, other_unknown_);
    add(unknown_, present_, own_unknown_);
    add(unknown_, unknown_, both_unknown_);
  }
  // Whether some row has both the chosen label and the other, or does not know. Where none does, all others of its kind have the
  // same sums.
  bool met(Index other) const { return met_[other] != 0; }
  Index kind(Index label) const { return kinds_[label]; }

  // By the states of the chosen label and the other, the smaller one first.
  void get(Index other, double (&counts)[4]) const {
    const bool before = label_ < other;
    const Index a = before ? label_ : other, b = before ? other : label_;
    const double known = total_ - unknown_.sums[a] - unknown_.sums[b] + both_unknown_[other];
    const double first = present_.sums[a] - (before ? other_unknown_ : own_unknown_)[other],
                 second = present_.sums[b] - (before ? own_unknown_ : other_unknown_)[other];
    counts[3] = both_present_[other];
    counts[2] = first - counts[3];
    counts[1] = second - counts[3];
    counts[0] = known - first - second + counts[3];
  }

 private:
  void add(const Places& own, const Places& others, Vector& sums) {
    sums.assign(met_.size(), 0.0);
    for (const Index i : own.rows[label_])
      for (const Index l : others.labels[i]) sums[l] += weights_[i], met_[l] = 1;
  }

  const std::vector<double>& weights_;
  double total_ = 0;
  Places present_, unknown_;
  std::vector<Index> kinds_;
  Index label_ = 0;  // the chosen one
  std::vector<char> met_;
  Vector both_present_, both_unknown_, other_unknown_, own_unknown_;  // one unknown, the other present
};

// Prim's: the tree grows from label 0 by its most informative pair.
std::vector<Graph::Edge> spanning_tree(Index labels, PairCounts pairs) {
  std::vector<double> best(labels, -1), of_kind;
  std::vector<Index> from(labels, 0);
  std::vector<char> done(labels, 0);
  std::vector<Graph::Edge> edges;
  for (Index added = 0, last = 0; added + 1 < labels; ++added) {
    done[last] = 1;
    pairs.choose(last);
    const auto information = [&](Index l) {
      double counts[4];
      pairs.get(l, counts);
      return mutual_information(counts);
    };
    of_kind.assign(2 * std::size_t{labels}, -1.0);
    for (Index l = 0; l < labels; ++l) {
      if (done[l]) continue;
      double known;
      if (pairs.met(l)) {
        known = information(l);
      } else {
        double& same = of_kind[2 * std::size_t{pairs.kind(l)} + (last < l)];  // rounded as that order does
        if (same < 0) same = information(l);
        known = same;
      }
      if (known > best[l]) best[l] = known, from[l] = last;
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
  const std::size_t all = std::size_t{labels} * (labels - 1) / 2;
  if (which == "all" && all > kMostPairs)
    fail("`pairs` all of {} labels are {}, more than {}: use `pairs` tree, or none.", labels, all,
         kMostPairs);
  if (which == "all")
    for (Index a = 0; a < labels; ++a)
      for (Index b = a + 1; b < labels; ++b) edges.push_back({a, b});
  return edges;
}

}  // namespace hinge
