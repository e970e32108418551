#include "hinge/inference/chain_maxima.h"

#include <algorithm>

namespace hinge {

void chain_maxima(const ChainScores& scores, Vector& out) {
  const std::size_t T = scores.length(), K = scores.labels();
  Vector behind(T * K, 0.0);  // the best of what follows a label
  for (std::size_t t = T - 1; t-- > 0;)
    for (std::size_t a = 0; a < K; ++a) {
      double best = kForbidden;
      for (std::size_t b = 0; b < K; ++b)
        best = std::max(best, scores.edge(a)[b] + scores.node(t + 1)[b] + behind[(t + 1) * K + b]);
      behind[t * K + a] = best;
    }
  Vector before(scores.node(0), scores.node(0) + K), next(K);
  out.resize(T * K);
  for (std::size_t t = 0;; before.swap(next)) {
    for (std::size_t k = 0; k < K; ++k) out[t * K + k] = before[k] + behind[t * K + k];
    if (++t == T) return;
    for (std::size_t b = 0; b < K; ++b) {
      double best = kForbidden;
      for (std::size_t a = 0; a < K; ++a) best = std::max(best, before[a] + scores.edge(a)[b]);
      next[b] = best + scores.node(t)[b];
    }
  }
}

}  // namespace hinge
