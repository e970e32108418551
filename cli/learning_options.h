// The options that any training has, whatever the task and the solver.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hinge/core/options.h"
#include "hinge/learning/formulation.h"
#include "hinge/solvers/solver.h"

namespace hinge {

struct LearningOptions {
  std::vector<double> C = {1};
  std::string method = "ssvm";
  std::string rescaling = "margin";
  std::string solver;
  double l1 = 0;
  double time_limit = 0;
  int threads = 1;
  std::uint64_t seed = 1;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("C", self.C, positive,
          "minimise 1/2 |w|^2 + C/n times the sum of the examples' losses; several are one path");
    visit("method", self.method, one_of(Formulation::names()), "which losses");
    visit("rescaling", self.rescaling, one_of({"margin", "slack"}), "how ssvm uses the loss");
    visit("solver", self.solver, any, "how to minimise (frank_wolfe for ssvm, lbfgs for smooth methods)");
    visit("l1", self.l1, not_negative, "add this times |w|_1 (lbfgs only)");
    visit("time_limit", self.time_limit, not_negative,
          "stop after this many seconds with the best so far (0: never)");
    visit("threads", self.threads, between(0, 1024),
          "work on so many at a time, which changes no bit of the result (0: every core)");
    visit("seed", self.seed, any, "of everything random");
  }

  Formulation formulation() const;
  std::vector<double> ascending_C() const;  // each once
  // The solver by name, or the default for the method. Options that it shares with these (seed) are set.
  std::unique_ptr<Solver> make_solver() const;
};

// A solver's options without those that LearningOptions has too.
std::vector<OptionRef> own_options(Solver& solver);

}  // namespace hinge
