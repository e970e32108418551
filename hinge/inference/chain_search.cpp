// Searches on chains beyond one maximum or sum: slack rescaling, the k best paths, all paths.
#include <algorithm>
#include <cmath>

#include "hinge/core/errors.h"
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

// Losses in units of the smallest one, and where the rows of each position begin: at position t a path has
// cost at most slack_.first[t + 1] − slack_.first[t] − 1 units.
double Chain::count_losses(const Scores& losses) {
  const std::size_t T = losses.length(), K = losses.labels();
  double unit = 0;
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t k = 0; k < K; ++k)
      if (losses.node(t)[k] > 0 && (unit == 0 || losses.node(t)[k] < unit)) unit = losses.node(t)[k];
  if (unit == 0) unit = 1;
  slack_.level.resize(T * K);
  slack_.first.assign(1, 0);
  std::size_t rows = 1;
  for (std::size_t t = 0; t < T; ++t) {
    std::size_t most = 0;
    for (std::size_t k = 0; k < K; ++k) {
      const double units = losses.node(t)[k] / unit, whole = std::round(units);
      if (!(std::abs(units - whole) <= 1e-9 * whole))
        fail(
            "slack rescaling of chains needs losses that are multiples of the smallest one, but there are "
            "{:g} "
            "and {:g}: use margin rescaling.",
            unit, losses.node(t)[k]);
      slack_.level[t * K + k] = static_cast<std::size_t>(whole);
      most = std::max(most, slack_.level[t * K + k]);
    }
    rows += most;
    slack_.first.push_back(slack_.first.back() + rows);
  }
  return unit;
}

double Chain::solve_slack(const Scores& scores, const Scores& losses, double reference, Counts& counts) {
  answer_ = {};
  counts.begin(true, scores.length(), scores.labels(), scores.stride());
  const std::size_t T = scores.length(), K = scores.labels(), S = scores.stride();
  if (T == 0) return 0;
  const double unit = count_losses(losses);
  const std::vector<std::size_t>&level = slack_.level, &first = slack_.first;
  Vector &best = slack_.best, &offer = slack_.offer;

  // best[first[t] + d][b] = the best score of a path up to t that ends in b and has cost d units
  if (best.size() < first.back() * S) best.resize(first.back() * S);
  offer.resize(S);
  const auto row = [&](std::size_t t, std::size_t d) { return best.data() + (first[t] + d) * S; };
  const auto rows = [&](std::size_t t) { return first[t + 1] - first[t]; };
  std::fill_n(best.data(), first.back() * S, kForbidden);
  for (std::size_t k = 0; k < K; ++k) row(0, level[k])[k] = scores.node(0)[k];
  for (std::size_t t = 1; t < T; ++t)
    for (std::size_t d = 0; d < rows(t - 1); ++d) {
      if (kernels::maximum(row(t - 1, d), K) == kForbidden) continue;
      kernels::max_plus(offer.data(), row(t - 1, d), scores.edge(0), K, S);
      for (std::size_t b = 0; b < K; ++b) {
        double& target = row(t, d + level[t * K + b])[b];
        target = std::max(target, offer[b] + scores.node(t)[b]);
      }
    }

  double value = kForbidden;
  std::size_t cost = 0, label = 0;
  for (std::size_t d = 0; d < rows(T - 1); ++d)
    for (std::size_t k = 0; k < K; ++k) {
      const double score = row(T - 1, d)[k];
      if (score == kForbidden) continue;
      const double violation = static_cast<double>(d) * unit * (1 + score - reference);
      if (violation > value) value = violation, cost = d, label = k;
    }
  counts.path_[T - 1] = static_cast<int>(label);
  for (std::size_t t = T - 1; t > 0; --t) {
    cost -= level[t * K + label];
    std::size_t from = 0;
    double top = kForbidden;
    for (std::size_t a = 0; a < K; ++a) {
      const double candidate = row(t - 1, cost)[a] + scores.edge(a)[label];
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
    outputs[t] = scores.output(t, static_cast<std::size_t>(path[t]));
  return outputs;
}

}  // namespace hinge
