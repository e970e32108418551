// Which solver runs. The first line that fits, read from the top:
//
// | asked | method                    | labels     | weights and examples | solver                  |
// |-------|---------------------------|------------|----------------------|-------------------------|
// | S     |                           |            |                      | S, in cccp (see below)  |
// | auto  | rows without features (`kernel_map` none)     |                      | gram                    |
// | auto  | one temperature above 0,  | complete   | 100 examples or more | soft_dual               |
// |       | C / n at most 1, or 5     |            | 3 ranks or fewer, or |                         |
// |       | in single precision       |            | fewer than 1.4 / β;  |                         |
// |       |                           |            | parts take ≤ 4 GB    |                         |
// | auto  | both temperatures above 0 |            |                      | lbfgs                   |
// | auto  | what is hidden is summed  | incomplete | few                  | cccp around bundle      |
// | auto  |                           | incomplete |                      | cccp around frank_wolfe |
// | auto  |                           | complete   | a sum over rows,     | frank_wolfe, row by row |
// |       |                           |            | 4 ranks or fewer     |                         |
// | auto  |                           | complete   | one example          | bundle                  |
// | auto  |                           | complete   | ranks ≥ 5, ≥ 1.4 / β | bundle                  |
// | auto  |                           | complete   |                      | frank_wolfe             |
//
// Several ranks share oracle calls, but not the block solves of frank_wolfe: β is what a sweep of those costs beside
// an oracle pass. Where planes would fill the memory of every rank it is bundle too. bundle takes so many more passes
// that fewer than about 5 ranks do not make up for them, whatever β is. soft_dual where telling a visit costs more than
// half of making it (its own β, shared_dual.h), and frank_wolfe where all planes of an example are listed, do all of their
// work on every rank: lbfgs and bundle, which share theirs, are ahead once there are more ranks than they take passes as
// often, about 3 and 5.
// A solver of convex problems has cccp around it, which on complete labels is that solver and nothing else.
// Sums over what is hidden have a new plane wherever they are asked: frank_wolfe holds many of each example,
// bundle a handful of all of them, which are dense. So where weights and examples are few the bundle takes a
// third of the time; elsewhere, and where planes are those of single structures, frank_wolfe is as fast or
// faster, approximate or not (bench/reproduce/solver-choice). One example is one block, where frank_wolfe is a
// cutting-plane solver without the bundle's memory of where it was: half to two thirds of the calls remain, and
// of the time (bench/reproduce/binary: measures of a whole sample).
// Of likelihoods soft_dual takes a half to a fifth of the time of lbfgs, as it learns from each example at once
// (bench/reproduce/likelihoods). Of few examples there is too little to learn between two visits of one, and the larger
// C / n, the more each undoes what the others did: with few weights lbfgs is ahead from about 3 on, with many later, and
// where visits are made in single precision (chains of eight labels or more) from about 10.
// soft_dual serves tasks made of parts with exact inference, without L1 and without bounds on weights; it cannot go on
// from the weights of another model (`init`), from which lbfgs does.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "hinge/learning/formulation.h"
#include "hinge/solvers/solver.h"
#include "hinge/training/training_options.h"

namespace hinge {

// All that the choice looks at.
struct Situation {
  bool smooth = false;       // both temperatures positive
  bool sums_hidden = false;  // that of what is hidden
  bool complete = true;      // every label admits one structure
  std::size_t weights = 0, examples = 0;
  std::size_t ranks = 1;                    // that oracle calls are spread over
  bool shared = false;                      // each rank has examples of its own (rank_oracle.h)
  double sweep_share = 0, plane_bytes = 0;  // of cached planes; looked at where there are several ranks
  bool soft_dual = false;                   // it serves the problem
  bool single = false;                      // and makes its visits in single precision
  double dual_bytes = 0;                    // what it would keep of the parts of all examples
  double telling_share =
      INFINITY;           // β of its visits (shared_dual.h); looked at where there are several ranks
  double C = 0;           // the largest, divided by the number of examples
  bool products = false;  // inputs are known by their products alone (gram_oracle.h)
  bool divided =
      false;            // losses are sums over rows, each of which is as good as an example (Oracle::divided)
  bool listed = false;  // all planes of an example are, so that none is cached
};
Situation situation(const Oracle& oracle, const TrainingOptions& options, std::size_t ranks = 1);

struct SolverChoice {
  std::string solver, inner;  // inner: what cccp goes around; else empty
  std::string reason;         // a sentence, where auto chose
  bool usual_batch = true;    // false: a run that is gone on with was begun with another one
};
SolverChoice choose_solver(const Situation& situation);

// `batch` of the solver or of what is inside it; null where it has none.
int* batch_of(Solver& solver);
// Sets it where nobody said: to more on several ranks, whose batches take an exchange each; ranks share visits of
// soft_dual where telling takes at most half of them.
void set_usual_batch(Solver& solver, const SolverChoice& choice, const Oracle& oracle,
                     const Formulation& formulation, std::size_t ranks);
// Whether frank_wolfe begins with all planes of an example: of each where all are at hand.
bool lists_planes(const std::string& solver, const Oracle& oracle, const Formulation& formulation);

// Those that auto may choose between, the usual one first, before any data was seen.
std::vector<std::string> solver_candidates(const Formulation& formulation);

// The solver of that name (inner: see SolverChoice), with cccp around it where it can do nothing without
// complete labels. Its seed is set where it has one, and `settings` are. Throws InputError for a name or an
// option that is not there.
std::unique_ptr<Solver> make_solver(const SolverChoice& choice, std::uint64_t seed,
                                    const std::map<std::string, double>& settings = {});

// Why several ranks are no faster than one: the solver learns from one example after the other, on every rank; empty
// where they share its oracle calls.
std::string replicated_work(const std::string& solver, const Oracle& oracle, const Formulation& formulation);

// The stopping gap of a solver that has one, else 0.
double target_gap(Solver& solver);

// Counts of examples whose labels leave something open, and whether inference may miss the maximum on some.
std::size_t count_incomplete(const Oracle& oracle);
bool may_approximate(const Oracle& oracle, const Formulation& formulation);

}  // namespace hinge
