// Searches on chains beyond one maximum or sum: slack rescaling, the k best paths, all paths.
#include <algorithm>
#include <cmath>
#include <queue>

#include "hinge/inference/chain.h"

namespace hinge {

double Chain::solve_slack(const Scores& scores, const Scores& losses, double reference, Counts& counts) {
  counts.hard_ = true;
  counts.factor_ = 1;
  counts.reference_.clear();
  counts.path_.resize(scores.length());
  const std::size_t T = scores.length(), K = scores.labels();
  if (T == 0) return 0;

  // Losses in units of the smallest one.
  double unit = 0;
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t k = 0; k < K; ++k)
      if (losses.node(t)[k] > 0 && (unit == 0 || losses.node(t)[k] < unit)) unit = losses.node(t)[k];
  if (unit == 0) unit = 1;
  const auto level = [&](std::size_t t, std::size_t k) {
    return static_cast<std::size_t>(std::lround(losses.node(t)[k] / unit));
  };
  std::size_t levels = 1;
  for (std::size_t t = 0; t < T; ++t) {
    std::size_t most = 0;
    for (std::size_t k = 0; k < K; ++k) most = std::max(most, level(t, k));
    levels += most;
  }

  // best[t][d][b] = the best score of a path up to t that ends in b and has cost d units
  const std::size_t row = levels * K;
  Vector best(T * row, kForbidden);
  for (std::size_t k = 0; k < K; ++k) best[level(0, k) * K + k] = scores.node(0)[k];
  for (std::size_t t = 1; t < T; ++t)
    for (std::size_t d = 0; d < levels; ++d) {
      const double* before = best.data() + (t - 1) * row + d * K;
      for (std::size_t a = 0; a < K; ++a) {
        if (before[a] == kForbidden) continue;
        for (std::size_t b = 0; b < K; ++b) {
          double& target = best[t * row + (d + level(t, b)) * K + b];
          target = std::max(target, before[a] + scores.edge(a)[b] + scores.node(t)[b]);
        }
      }
    }

  double value = kForbidden;
  std::size_t cost = 0, label = 0;
  for (std::size_t d = 0; d < levels; ++d)
    for (std::size_t k = 0; k < K; ++k) {
      const double score = best[(T - 1) * row + d * K + k];
      if (score == kForbidden) continue;
      const double violation = static_cast<double>(d) * unit * (1 + score - reference);
      if (violation > value) value = violation, cost = d, label = k;
    }
  counts.path_[T - 1] = static_cast<int>(label);
  for (std::size_t t = T - 1; t > 0; --t) {
    cost -= level(t, label);
    std::size_t from = 0;
    double top = kForbidden;
    for (std::size_t a = 0; a < K; ++a) {
      const double candidate = best[(t - 1) * row + cost * K + a] + scores.edge(a)[label];
      if (candidate > top) top = candidate, from = a;
    }
    label = from;
    counts.path_[t - 1] = static_cast<int>(label);
  }
  return value;
}

std::vector<std::pair<Path, double>> Chain::top(const Scores& scores, std::size_t k) {
  const std::size_t T = scores.length(), K = scores.labels(), S = scores.stride();
  std::vector<std::pair<Path, double>> found;
  if (T == 0) return found;
  forward_max(scores);
  // A suffix of a path; suffixes share their tails. `total` is the score of its best completion to the left.
  struct Suffix {
    double total, tail;  // tail: the score of everything to the right of `label`'s own forward value
    std::size_t position, next;
    int label;
  };
  std::vector<Suffix> suffixes;
  const auto worse = [&](std::size_t a, std::size_t b) {
    return suffixes[a].total != suffixes[b].total ? suffixes[a].total < suffixes[b].total : a > b;
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(worse)> open(worse);
  const auto push = [&](std::size_t t, std::size_t label, double tail, std::size_t next) {
    const double total = forward_[t * S + label] + tail;
    if (total == kForbidden) return;
    suffixes.push_back({total, tail, t, next, static_cast<int>(label)});
    open.push(suffixes.size() - 1);
  };
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  for (std::size_t b = 0; b < K; ++b) push(T - 1, b, 0, none);
  while (!open.empty() && found.size() < k) {
    const std::size_t place = open.top();
    open.pop();
    const Suffix s = suffixes[place];
    if (s.position == 0) {
      Path path;
      for (std::size_t p = place; p != none; p = suffixes[p].next) path.push_back(suffixes[p].label);
      found.emplace_back(std::move(path), s.total);
      continue;
    }
    for (std::size_t a = 0; a < K; ++a)
      push(s.position - 1, a, s.tail + scores.node(s.position)[s.label] + scores.edge(a)[s.label], place);
  }
  return found;
}

void Chain::for_each_structure(const Scores& scores, const std::function<void(const Path&)>& f) {
  Path path(scores.length(), 0);
  for (;;) {
    f(path);
    std::size_t t = 0;
    while (t < path.size() && ++path[t] == static_cast<int>(scores.labels())) path[t++] = 0;
    if (t == path.size()) return;
  }
}

}  // namespace hinge
