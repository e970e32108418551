// What every solver is: options of its own, and one call.
#pragma once

#include <memory>
#include <string>

#include "hinge/core/options.h"
#include "hinge/learning/objective.h"
#include "hinge/learning/summary.h"

namespace hinge {

// Where to start. Empty weights mean the regulariser's centre. `planes` is what an earlier Summary held,
// perhaps at another C: a solver that works on planes goes on from its dual, the others ignore it.
struct Start {
  Vector weights = {};
  std::shared_ptr<PlaneModel> planes = nullptr;
};

class Solver {
 public:
  virtual ~Solver() = default;
  virtual std::string name() const = 0;
  virtual std::vector<OptionRef> options() = 0;
  // Minimises the objective (its convex upper bound where labels are incomplete: see Objective::linearize).
  virtual Summary minimize(Objective& objective, Start start, const Observer& observer) const = 0;
};

struct SolverKind {
  std::string name;
  std::string summary;  // one line for --help: what it is and when it stops
  std::unique_ptr<Solver> (*make)();
};

// Every solver, the default first.
const std::vector<SolverKind>& solver_kinds();
// Throws InputError that lists the names when there is none of that name.
std::unique_ptr<Solver> make_solver(const std::string& name);

}  // namespace hinge
