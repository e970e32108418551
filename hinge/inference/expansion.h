// A labelling that no expansion of one label improves (Boykov, Veksler & Zabih 2001): each move lets every node keep
// its state or take α, the best way (fusion.h), for one α after the other.
//
// Let cost(s) = Σ_i (max node_i − node_i[s_i]) + Σ_e V_e(s), V_e = max edge_e − edge_e. Where every move was exact, as it
// is for metric label costs, a labelling s that none improves has for every other x
//
//     cost(s) ≤ 2 c cost(x),     c = max over edges of (largest V_e) / (smallest V_e at two different states),
//
// which is the bound: score(x) ≤ Σ_i max node_i + Σ_e max edge_e − cost(s) / (2 c).
#pragma once

#include "hinge/inference/fusion.h"

namespace hinge {

class Expansion {
 public:
  struct Result {
    bool exact_moves;  // of the last round, which improved nothing
    bool converged;    // there was such a round
  };
  // From the best state of each node alone. `s` has the states of observed nodes; the fusion has begun on the same
  // scores.
  Result solve(const GraphScores& scores, const Vector& unary, int max_rounds, Fusion& fusion, Assignment& s);

 private:
  Assignment proposal_;
};

// No labelling of observed and open nodes scores more, where s is the result of expansions by that fusion.
double expansion_bound(const GraphScores& scores, const Assignment& s, const Fusion& fusion,
                       bool exact_moves);

}  // namespace hinge
