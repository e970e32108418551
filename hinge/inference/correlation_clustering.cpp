#include "hinge/inference/correlation_clustering.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

namespace hinge {
namespace {

constexpr int kMaxPasses = 100;  // of moves over all items
constexpr double kGain = 1e-12;  // relative; smaller gains may be rounding

}  // namespace

double CorrelationClustering::Scores::of(const Partition& s) const {
  if (only != nullptr && s != *only) return kForbidden;
  double sum = constant;
  for (std::size_t j = 1; j < s.size(); ++j) {
    const double* values = row(j);
    for (std::size_t i = 0; i < j; ++i)
      if (s[i] == s[j]) sum += values[i];
  }
  return sum;
}

void CorrelationClustering::gather(const Scores& scores, std::span<const Index> members) {
  const std::size_t count = members.size();
  value_.resize(count * count);
  for (std::size_t b = 0; b < count; ++b) {
    const double* row = scores.row(members[b]);
    value_[b * count + b] = 0;
    for (std::size_t a = 0; a < b; ++a) value_[a * count + b] = value_[b * count + a] = row[members[a]];
  }
}

// best[S] = max over subsets T of S that have its lowest item of inside[T] + best[S \ T]
void CorrelationClustering::cluster_exactly(std::size_t count) {
  const std::size_t subsets = std::size_t{1} << count;
  inside_.assign(subsets, 0.0);
  best_.assign(subsets, 0.0);
  cluster_.assign(subsets, 0);
  for (std::uint32_t set = 1; set < subsets; ++set) {
    const auto lowest = static_cast<std::size_t>(std::countr_zero(set));
    const std::uint32_t others = set & (set - 1);
    double sum = inside_[others];
    for (std::uint32_t rest = others; rest != 0; rest &= rest - 1)
      sum += value_[lowest * count + static_cast<std::size_t>(std::countr_zero(rest))];
    inside_[set] = sum;
    best_[set] = kForbidden;
    for (std::uint32_t with = others;; with = (with - 1) & others) {
      const std::uint32_t cluster = set & ~others;
      const double value = inside_[cluster | with] + best_[others & ~with];
      if (value > best_[set]) {
        best_[set] = value;
        cluster_[set] = cluster | with;
      }
      if (with == 0) break;
    }
  }
  for (std::uint32_t set = static_cast<std::uint32_t>(subsets - 1); set != 0;) {
    const std::uint32_t cluster = cluster_[set];
    const auto name = static_cast<Index>(std::countr_zero(cluster));
    for (std::uint32_t rest = cluster; rest != 0; rest &= rest - 1)
      out_[static_cast<std::size_t>(std::countr_zero(rest))] = name;
    set &= ~cluster;
  }
}

void CorrelationClustering::find_partner(Index cluster, std::size_t count) {
  const double* row = between_.data() + cluster * count;
  partner_[cluster] = static_cast<Index>(arg_max({row, count}));
  gain_[cluster] = row[partner_[cluster]];
}

// A cluster that is no more, and each with itself, has −∞ between.
void CorrelationClustering::merge_greedily(std::size_t count) {
  between_ = value_;
  partner_.resize(count);
  gain_.resize(count);
  for (Index a = 0; a < count; ++a) {
    out_[a] = a;
    between_[a * count + a] = kForbidden;
    find_partner(a, count);
  }
  for (;;) {
    const auto a = static_cast<Index>(arg_max({gain_.data(), count}));
    if (!(gain_[a] > 0)) return;
    const Index b = partner_[a];
    for (Index& cluster : out_)
      if (cluster == b) cluster = a;
    for (std::size_t c = 0; c < count; ++c) between_[a * count + c] += between_[b * count + c];
    for (std::size_t c = 0; c < count; ++c) {
      between_[c * count + a] = between_[a * count + c];
      between_[c * count + b] = kForbidden;
    }
    gain_[b] = kForbidden;
    find_partner(a, count);
    for (Index c = 0; c < count; ++c) {
      if (gain_[c] == kForbidden || c == a) continue;
      const double joined = between_[c * count + a];
      if (joined > gain_[c]) {
        gain_[c] = joined;
        partner_[c] = a;
      } else if (partner_[c] == a || partner_[c] == b) {
        find_partner(c, count);
      }
    }
  }
}

void CorrelationClustering::move_items(std::size_t count) {
  std::vector<Index>& size = partner_;
  bool moved = true;
  for (int pass = 0; pass < kMaxPasses && moved; ++pass) {
    moved = false;
    size.assign(count, 0);
    for (const Index cluster : out_) ++size[cluster];
    for (std::size_t a = 0; a < count; ++a) {
      to_cluster_.assign(count, 0.0);
      const double* row = value_.data() + a * count;
      double scale = 0;
      for (std::size_t b = 0; b < count; ++b) {
        to_cluster_[out_[b]] += row[b];
        scale += std::abs(row[b]);
      }
      // The best cluster that has items; else one of its own, which gains 0.
      const Index own = out_[a];
      Index best = own;
      for (Index c = 0; c < count; ++c)
        if (size[c] > 0 && to_cluster_[c] > to_cluster_[best] + (best == own ? kGain * scale : 0)) best = c;
      if (to_cluster_[best] < -kGain * scale && size[own] > 1)
        best = static_cast<Index>(std::ranges::find(size, Index{0}) - size.begin());
      if (best == own) continue;
      --size[own];
      ++size[best];
      out_[a] = best;
      moved = true;
    }
  }
}

double CorrelationClustering::solve(const Scores& scores, [[maybe_unused]] double output_temperature,
                                    [[maybe_unused]] double latent_temperature, Counts& counts) {
  assert(output_temperature == 0 && latent_temperature == 0);
  counts.subtracted_.clear();
  answer_ = {};
  if (scores.only != nullptr) {
    counts.chosen_ = *scores.only;
    return scores.of(counts.chosen_);
  }
  const auto n = static_cast<Index>(scores.items());
  components_.reset(n);
  for (Index j = 1; j < n; ++j) {
    const double* row = scores.row(j);
    for (Index i = 0; i < j; ++i)
      if (row[i] > 0) components_.join(i, j);
  }
  counts.chosen_.resize(n);
  for (Index root = 0; root < n; ++root) {
    if (components_.root(root) != root) continue;
    members_.clear();
    for (Index i = root; i < n; ++i)
      if (components_.root(i) == root) members_.push_back(i);
    const std::size_t count = members_.size();
    out_.resize(count);
    gather(scores, members_);
    if (count <= kExact) {
      cluster_exactly(count);
    } else {
      merge_greedily(count);
      move_items(count);
      answer_ = {.way = kGreedy, .exact = false};
    }
    for (std::size_t k = 0; k < count; ++k) counts.chosen_[members_[k]] = members_[out_[k]];
  }
  counts.chosen_ = renumbered(std::move(counts.chosen_));
  return scores.of(counts.chosen_);
}

double CorrelationClustering::structures(const Scores& scores) {
  constexpr double partitions[] = {1, 1, 2, 5, 15, 52, 203, 877, 4140, 21147};
  return scores.items() < std::size(partitions) ? partitions[scores.items()]
                                                : std::numeric_limits<double>::infinity();
}

void CorrelationClustering::for_each_structure(const Scores& scores,
                                               const std::function<void(const Partition&)>& f) {
  Partition y(scores.items(), 0);
  const auto choose = [&](const auto& next, std::size_t item, Index clusters) -> void {
    if (item == y.size()) return f(y);
    for (y[item] = 0; y[item] <= clusters; ++y[item]) next(next, item + 1, std::max(clusters, y[item] + 1));
  };
  choose(choose, 0, 0);
}

}  // namespace hinge
