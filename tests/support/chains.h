// Random chains, and what counts of their parts add up to.
#pragma once

#include "hinge/core/random.h"
#include "hinge/inference/chain.h"

namespace hinge {

inline ChainScores random_chain(std::size_t length, std::size_t labels, double scale, std::uint64_t seed) {
  Random random(seed);
  ChainScores scores;
  scores.shape(length, labels);
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t k = 0; k < labels; ++k) scores.node(t)[k] = scale * random.normal();
  for (std::size_t a = 0; a < labels; ++a)
    for (std::size_t b = 0; b < labels; ++b) scores.edge(a)[b] = scale * random.normal();
  return scores;
}

// Σ counts · scores
inline double total(const ChainCounts& counts, const ChainScores& scores) {
  double sum = 0;
  counts.for_each_node([&](std::size_t t, int k, double amount) { sum += amount * scores.node(t)[k]; });
  counts.for_each_edge(
      [&](int a, int b, double amount) { sum += amount * scores.edge(static_cast<std::size_t>(a))[b]; });
  return sum;
}

}  // namespace hinge
