// Which solver runs. The first line that fits, read from the top:
//
// | asked  | method | labels     | planes | weights and examples | solver                  |
// |--------|--------|------------|--------|----------------------|-------------------------|
// | S      |        |            |        |                      | S, in cccp (see below)  |
// | auto   | smooth |            |        |                      | lbfgs                   |
// | auto   | hard   | incomplete |        | few                  | cccp around bundle      |
// | auto   | hard   | complete   | exact  | few                  | bundle                  |
// | auto   | hard   | incomplete |        |                      | cccp around frank_wolfe |
// | auto   | hard   | complete   |        |                      | frank_wolfe             |
//
// A solver of convex problems has cccp around it, which on complete labels is that solver and nothing else.
// "Few": a pass over the examples then costs more than the solver's own work on planes that are dense, and a
// handful of them is all it takes. What is few was measured: bench/reproduce/solver-choice.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "hinge/learning/formulation.h"
#include "hinge/solvers/solver.h"

namespace hinge {

// All that the choice looks at.
struct Situation {
  bool smooth = false;   // both temperatures positive
  bool complete = true;  // every label admits one structure
  bool exact = true;     // inference always finds the maximum
  std::size_t weights = 0, examples = 0;
};
Situation situation(const Oracle& oracle, const Formulation& formulation);

struct SolverChoice {
  std::string solver, inner;  // inner: what cccp goes around; else empty
  std::string reason;         // a sentence, where auto chose
};
SolverChoice choose_solver(const Situation& situation);

// Those that auto may choose between, the usual one first, before any data was seen.
std::vector<std::string> solver_candidates(const Formulation& formulation);

// The solver of that name (inner: see SolverChoice), with cccp around it where it can do nothing without
// complete labels. Its seed is set where it has one, and `settings` are. Throws InputError for a name or an
// option that is not there.
std::unique_ptr<Solver> make_solver(const SolverChoice& choice, std::uint64_t seed,
                                    const std::map<std::string, double>& settings = {});

// The stopping gap of a solver that has one, else 0.
double target_gap(Solver& solver);

// Counts of examples whose labels leave something open, and whether inference may miss the maximum on some.
std::size_t count_incomplete(const Oracle& oracle);
bool may_approximate(const Oracle& oracle, const Formulation& formulation);

}  // namespace hinge
