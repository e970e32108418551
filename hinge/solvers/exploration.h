// Looking for a good local optimum where labels are incomplete. A solver goes down from where it starts; this
// chooses where:
//
//     for restart k = 0 … restarts − 1
//       w ← the task's own start number k, where it knows one and nothing was given; or
//           the optimum with hidden parts drawn at random for good, where that is asked; else
//           init + random weights of standard deviation `spread`       (the first of a given init without)
//       for τ in 1, 1/2, 1/4, … (`anneal` of them)                     deterministic annealing
//         w ← the solver's answer, from w, at temperatures that are τ of the way from the method's to 1
//       w ← the solver's answer, from w
//     the best w is kept; one that does little better than zero weights is given an annealed start besides
//     while a random perturbation of it leads lower, go on from there
//
// Zero weights are where a maximum over many hidden structures collapses to (Yu & Joachims 2009 start anew
// then). The last line is for saddles: where hidden states are exchangeable and weights treat them alike, as
// zero weights do, the gradient treats them alike as well, and no solver ever tells them apart.
#pragma once

#include "hinge/solvers/solver.h"

namespace hinge {

struct Exploration {
  Vector init = {};  // empty: zero weights, and no restart without random ones
  double spread = 0.1;
  bool task_starts = true;  // ask the oracle for a start first, where init is empty
  bool drawn = false;       // draw what is hidden; the task must be able to (DrawnOracle::can_draw)
  int restarts = 1;
  int anneal = 0;
  std::uint64_t seed = 1;
};

// Minimises the objective with all that, or just with the solver where the objective is convex. Weights of
// `start` take the place of the first restart's, and are not annealed: an earlier run was. The summary counts
// everything; its `restarts` are the objectives that were reached, where there are several.
Summary explore(const Solver& solver, Objective& objective, Start start, const Exploration& exploration,
                const Observer& observer);

// What the examples whose labels are complete teach, with the same method and C: its weights are a start.
// Throws InputError when there is no such example.
Summary supervised_start(const Solver& solver, const Objective& objective, const Observer& observer);

}  // namespace hinge
