#include <fmt/ranges.h>

#include "hinge/core/errors.h"
#include "hinge/core/spelling.h"
#include "hinge/solvers/bundle.h"
#include "hinge/solvers/cccp.h"
#include "hinge/solvers/descent.h"
#include "hinge/solvers/frank_wolfe.h"
#include "hinge/solvers/gram.h"
#include "hinge/solvers/lbfgs.h"
#include "hinge/solvers/n_slack.h"
#include "hinge/solvers/one_slack.h"
#include "hinge/solvers/soft_dual.h"
#include "hinge/solvers/solver.h"
#include "hinge/solvers/stochastic.h"
#include "hinge/solvers/subgradient.h"

namespace hinge {
namespace {

template <class S>
std::unique_ptr<Solver> make() {
  return std::make_unique<S>();
}

}  // namespace

// One line a solver, in the order of the documentation: the default, those that work on planes, the
// baselines, lbfgs.
const std::vector<SolverKind>& solver_kinds() {
  static const std::vector<SolverKind> kinds = {
      {"frank_wolfe", "block-coordinate Frank-Wolfe on cached planes, the default; stops at the gap",
       make<FrankWolfe>},
      {"n_slack", "cutting planes with a slack for each example; stops at the gap", make<NSlack>},
      {"one_slack", "cutting planes with one slack for all examples; stops at the gap", make<OneSlack>},
      {"bundle", "proximal bundle, cutting planes kept near the best weights; stops at the gap",
       make<Bundle>},
      {"subgradient", "batch subgradient steps, a baseline; stops at the gap or after max_passes",
       make<Subgradient>},
      {"stochastic", "stochastic subgradient steps with averaging; stops at the gap or after max_passes",
       make<Stochastic>},
      {"gram", "blocks in the dual on products of rows alone (`--kernel-map none`); stops at the gap",
       make<Gram>, true, true},
      {"soft_dual", "block ascent in the dual of smooth methods (crf); stops at the gap", make<SoftDual>},
      {"lbfgs", "limited-memory BFGS for smooth methods (crf); stops at the gap or the gradient's norm",
       make<Lbfgs>, false},
      {"cccp",
       "convex rounds for incomplete labels, around another solver; stops when the objective does not fall",
       make<Cccp>, false},
      {"descent", "the algorithms of Ping, Liu & Ihler (2014), to compare with; stops after max_steps",
       make<Descent>, false},
  };
  return kinds;
}

const SolverKind& solver_kind(const std::string& name) {
  std::vector<std::string> names;
  for (const SolverKind& kind : solver_kinds()) {
    if (kind.name == name) return kind;
    names.push_back(kind.name);
  }
  fail("there is no solver '{}'{}: use one of {}.", name, did_you_mean(name, names), fmt::join(names, ", "));
}

std::unique_ptr<Solver> make_solver(const std::string& name) { return solver_kind(name).make(); }

}  // namespace hinge
