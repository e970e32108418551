// Searches on chains beyond one maximum or sum: slack rescaling, the k best paths, all paths.
#include <algorithm>
#include <cmath>

#include "hinge/inference/chain.h"
#include "hinge/inference/path_search.h"

namespace hinge {
namespace {

struct ChainLattice {
  const ChainScores& scores;
  const Vector& best;
  std::size_t length() const { return scores.length(); }
  std::size_t states() const { return scores.labels(); }
  std::size_t label(std::size_t state) const { return state; }
  double forward(std::size_t t, std::size_t state) const { return best[t * scores.stride() + state]; }
  double node(std::size_t t, std::size_t label) const { return scores.node(t)[label]; }
  template <class F>
  void for_each_before(std::size_t state, F&& f) const {
    for (std::size_t a = 0; a < scores.labels(); ++a) f(a, scores.edge(a)[state]);
  }
};

}  // namespace

double Chain::solve_slack(const Scores& scores, const Scores& losses, double reference, Counts& counts) {
  counts.begin(true, scores.length(), scores.labels(), scores.stride());
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
  if (scores.length() == 0) return {};
  forward_max(scores);
  const ChainLattice lattice{scores, forward_};
  return BestPaths(lattice)(k);
}

void Chain::for_each_structure(const Scores& scores, const std::function<void(const Path&)>& f) {
  for_each_path(scores.length(), scores.labels(), f);
}

Path Chain::outputs(const Scores& scores, const Path& path) {
  Path outputs = path;
  for (std::size_t t = 0; t < path.size(); ++t)
    if (scores.hidden(t)) outputs[t] = -1;
  return outputs;
}

}  // namespace hinge
