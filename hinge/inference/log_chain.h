// Sums over the paths of a chain by smooth_max of the scores themselves, forward and backward: slower than by
// products of exponentials, and right at every range.
//
//     value = T_τ over y of Σ_t node(t)[y_t] + Σ_t edges(t)[y_t][y_{t+1}]
#pragma once

#include <algorithm>
#include <cmath>

#include "hinge/core/smooth_max.h"

namespace hinge {

class LogChain {
 public:
  // T positions, K labels, rows of S numbers: node(t) is a row, edges(t) the K rows between t and t + 1. Fills
  // the rows of node_counts with probabilities, and calls count(t, pairs) with those of the pairs at t. −∞, and
  // nothing filled, where everything is forbidden.
  template <class Node, class Edges, class Count>
  double sum(std::size_t T, std::size_t K, std::size_t S, double temperature, Node&& node, Edges&& edges,
             double* node_counts, Count&& count) {
    for (Vector* v : {&forward_, &backward_})
      if (v->size() < T * S) v->resize(T * S);
    terms_.resize(K);
    pairs_.resize(K * S);
    std::copy_n(node(0), K, forward_.data());
    for (std::size_t t = 1; t < T; ++t)
      for (std::size_t b = 0; b < K; ++b) {
        for (std::size_t a = 0; a < K; ++a) terms_[a] = forward_[(t - 1) * S + a] + edges(t - 1)[a * S + b];
        forward_[t * S + b] = smooth_max(terms_, temperature) + node(t)[b];
      }
    const double value = smooth_max({forward_.data() + (T - 1) * S, K}, temperature);
    if (value == kForbidden) return value;
    const auto probability = [&](double score) { return std::exp((score - value) / temperature); };
    std::fill_n(backward_.data() + (T - 1) * S, K, 0.0);
    for (std::size_t t = T; t-- > 0;) {
      double* beta = backward_.data() + t * S;
      if (t + 1 < T) {
        for (std::size_t a = 0; a < K; ++a) {
          for (std::size_t b = 0; b < K; ++b) {
            terms_[b] = edges(t)[a * S + b] + node(t + 1)[b] + beta[S + b];
            pairs_[a * S + b] = probability(forward_[t * S + a] + terms_[b]);
          }
          beta[a] = smooth_max(terms_, temperature);
        }
        count(t, pairs_.data());
      }
      for (std::size_t k = 0; k < K; ++k) node_counts[t * S + k] = probability(forward_[t * S + k] + beta[k]);
    }
    return value;
  }

 private:
  Vector forward_, backward_, terms_, pairs_;
};

}  // namespace hinge
