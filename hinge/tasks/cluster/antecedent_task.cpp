#include "hinge/tasks/cluster/antecedent_task.h"

#include "hinge/core/workspace.h"

#include <algorithm>
#include <numeric>

namespace hinge {
namespace {

// Calls f(j, begins): whether item j is the first of its cluster.
template <class F>
void for_each_item(const Partition& y, F&& f) {
  Index seen = 0;
  for (std::size_t j = 0; j < y.size(); ++j) {
    const bool begins = y[j] == seen;
    f(j, begins);
    if (begins) ++seen;
  }
}

}  // namespace

double AntecedentTask::loss(const Partition& y, const Choices& s) const {
  std::size_t missing = 0, wrong = 0;
  for_each_item(y, [&](std::size_t j, bool begins) {
    const bool links = s[j] < j, right = links && y[j - 1 - s[j]] == y[j];
    missing += !begins && !right;
    wrong += links && !right;
  });
  return static_cast<double>(missing) + link_penalty_ * static_cast<double>(wrong);
}

Choices AntecedentTask::structure(const Partition& y) const {
  Choices s(y.size());
  std::vector<std::size_t> last(cluster_count(y));
  for_each_item(y, [&](std::size_t j, bool begins) {
    s[j] = static_cast<Index>(begins ? j : j - 1 - last[y[j]]);
    last[y[j]] = j;
  });
  return s;
}

Partition AntecedentTask::partition(const Document& x, const Choices& s) const {
  DisjointSets trees(x.items);
  for (Index j = 0; j < s.size(); ++j)
    if (s[j] < j) trees.join(j - 1 - s[j], j);
  return trees.partition();
}

void AntecedentTask::score(const Document& x, Weights w, GroupedScores& scores) const {
  Vector& pairs = scratch<Vector, struct AntecedentTaskPairs>();
  pairs.resize(x.row_of.size());
  score_pairs(x, w, pairs);
  scores.clear();
  for (std::size_t j = 0; j < x.items; ++j) {
    scores.add_item(j + 1, j + 1);
    const double* row = pairs.data() + first_pair(j);
    std::reverse_copy(row, row + j, scores.values(j).begin());
    std::iota(scores.groups(j).begin(), scores.groups(j).end(), Index{0});
  }
}

void AntecedentTask::add_loss(const Partition& y, double weight, GroupedScores& scores) const {
  for_each_item(y, [&](std::size_t j, bool begins) {
    const std::span<double> value = scores.values(j);
    const double missing = begins ? 0 : weight, wrong = missing + weight * link_penalty_;
    const Index own = y[j];
    for (std::size_t k = 0; k < j; ++k) value[k] += y[j - 1 - k] == own ? 0 : wrong;
    value[j] += missing;
  });
}

void AntecedentTask::forbid(const Partition& y, GroupedScores& scores) const {
  for_each_item(y, [&](std::size_t j, bool begins) {
    const std::span<double> value = scores.values(j);
    const Index own = y[j];
    for (std::size_t k = 0; k < j; ++k)
      if (y[j - 1 - k] != own) value[k] = kForbidden;
    if (!begins) value[j] = kForbidden;
  });
}

// Clusters are numbered by their nearest items, so that of equal antecedents the nearest wins here too.
void AntecedentTask::hide(const Partition& y, GroupedScores& scores) const {
  std::vector<Index>& number = scratch<std::vector<Index>, struct AntecedentTaskNumber>();
  std::vector<Index>& seen_by = scratch<std::vector<Index>, struct AntecedentTaskSeenBy>();
  const std::size_t clusters = cluster_count(y);
  number.resize(clusters);
  seen_by.assign(clusters, 0);
  Index before = 0;  // clusters of earlier items
  for_each_item(y, [&](std::size_t j, bool begins) {
    scores.regroup(j, before + 1);
    const std::span<Index> group = scores.groups(j);
    Index count = 0;
    for (std::size_t k = 0; k < j; ++k) {
      const Index cluster = y[j - 1 - k];
      if (seen_by[cluster] != j) {
        seen_by[cluster] = static_cast<Index>(j);
        number[cluster] = count++;
      }
      group[k] = number[cluster];
    }
    group[j] = before;
    before += begins;
  });
}

Choices AntecedentTask::predict(const Document& x, Weights w, double latent_temperature) const {
  Vector& pairs = scratch<Vector, struct AntecedentTaskPairs>();
  pairs.resize(x.row_of.size());
  score_pairs(x, w, pairs);
  Vector& top = scratch<Vector, struct AntecedentTaskTop>();
  Vector& sum = scratch<Vector, struct AntecedentTaskSum>();
  std::vector<Index>& nearest =
      scratch<std::vector<Index>, struct AntecedentTaskNearest>();  // the best item of each cluster
  Partition cluster(x.items);
  Choices s(x.items);
  Index clusters = 0;
  for (std::size_t j = 0; j < x.items; ++j) {
    const double* row = pairs.data() + first_pair(j);
    top.assign(clusters, kForbidden);
    sum.assign(clusters, 0.0);
    nearest.assign(clusters, 0);
    for (std::size_t i = j; i-- > 0;)
      if (row[i] > top[cluster[i]]) top[cluster[i]] = row[i], nearest[cluster[i]] = static_cast<Index>(i);
    if (latent_temperature > 0) {
      for (std::size_t i = 0; i < j; ++i)
        sum[cluster[i]] += std::exp((row[i] - top[cluster[i]]) / latent_temperature);
      for (Index c = 0; c < clusters; ++c) top[c] += latent_temperature * std::log(sum[c]);
    }
    const std::size_t best = clusters == 0 ? 0 : arg_max(top);
    const bool links = clusters > 0 && top[best] >= 0;
    s[j] = static_cast<Index>(links ? j - 1 - nearest[best] : j);
    cluster[j] = links ? static_cast<Index>(best) : clusters++;
  }
  return s;
}

}  // namespace hinge
