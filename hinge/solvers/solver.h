// What every solver is: options of its own, and one call.
#pragma once

#include <memory>
#include <string>

#include "hinge/core/options.h"
#include "hinge/learning/objective.h"
#include "hinge/learning/summary.h"

namespace hinge {

// Where to start. Empty weights mean the regulariser's centre. `planes` is what an earlier Summary held,
// perhaps at another C, of the same objective and its last linearisation: a solver that works on planes goes
// on from its dual, the others ignore it.
struct Start {
  Vector weights = {};
  std::shared_ptr<PlaneModel> planes = nullptr;
  std::shared_ptr<const Potentials> potentials = nullptr;  // the same of soft_dual
};

// What a run has left for later ones, for a later process.
void keep_left(Snapshot& snapshot, const Objective& objective, std::shared_ptr<PlaneModel>& planes,
               std::shared_ptr<const Potentials>& potentials);

struct OptionGroup {
  std::string name;
  std::vector<OptionRef> options;
};

class Solver {
 public:
  virtual ~Solver() = default;
  virtual std::string name() const = 0;
  virtual std::vector<OptionRef> options() = 0;
  // The same by who has them, where a solver goes around another.
  virtual std::vector<OptionGroup> option_groups() { return {{name(), options()}}; }

  // Minimises the objective (its convex upper bound where it was linearised: see Objective::linearize). Where
  // it is not convex, that is `descend` and then what `explore` does with the best of its descents: saddles
  // are left, and an end that learned nothing is given another start, or said.
  Summary minimize(Objective& objective, Start start, const Observer& observer) const;
  // One way down from the start. What a solver linearised for itself it follows again at the end.
  // Where the observer has a keeper, a run that an earlier process finished is not done again.
  Summary descend(Objective& objective, Start start, const Observer& observer) const;

 private:
  virtual Summary solve(Objective& objective, Start start, const Observer& observer) const = 0;
  // Whether it goes through examples, so that it is given as many as the objective can be divided into
  // (Oracle::divided).
  virtual bool divides() const { return false; }
};

struct SolverKind {
  std::string name;
  std::string summary;  // one line for --help: what it is and when it stops
  std::unique_ptr<Solver> (*make)();
  bool convex_only = true;  // for incomplete labels it needs cccp around it
  bool products_only =
      false;  // it learns from products of rows (oracle/gram_oracle.h), and from nothing else
};

// Every solver, the default first.
const std::vector<SolverKind>& solver_kinds();
// These throw InputError that lists the names when there is none of that name.
const SolverKind& solver_kind(const std::string& name);
std::unique_ptr<Solver> make_solver(const std::string& name);

}  // namespace hinge
