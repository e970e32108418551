// What `hinge train` and `hinge cross-validate` share: the flags of a task, of learning and of a solver.
#pragma once

#include "cli/commands.h"
#include "cli/files.h"
#include "hinge/core/executor.h"
#include "hinge/training/fit.h"
#include "hinge/training/solver_choice.h"
#include "hinge/training/transduction.h"

namespace hinge {

class LearningFlags {
 public:
  // Takes the flags: the command's own, those of learning, of the task that stands first, and of the solver.
  // False when they only ask for help, which is printed then.
  bool take(const std::string& command, Arguments arguments, const std::vector<OptionRef>& own,
            std::vector<std::string>& data, bool with_example);

  // When the command has put its files into the plan and looked at its own flags: checks that the flags fit
  // together, and reads the model of --init.
  void finish(FilePlan& files);

  // What flags leave open of a run that is gone on with, by the options of that run.
  struct Begun {
    std::optional<SolverChoice> solver;
    std::optional<int> batch;
  };
  // The solver for that data, by its flags, as a run was begun that it goes on from, or as is usual. `choice` becomes what
  // was chosen, and why.
  std::unique_ptr<Solver> solver_for(const Oracle& oracle, SolverChoice& choice, const Begun& begun) const;
  std::unique_ptr<Solver> solver_for(const Oracle& oracle) const;
  double target_gap() const { return hinge::target_gap(*flagged_); }

  bool given(const std::string& name) const { return flags_->given(name); }
  double latent_temperature() const { return options.formulation().latent_temperature; }

  TrainingOptions options;
  TransductionOptions transduction;  // of `train` alone
  std::unique_ptr<AnyTask> task;
  Model init;  // of --init MODEL; without a task where there is none
  std::unique_ptr<Executor> executor;

 private:
  void take_solver_flags();

  std::optional<Flags> flags_;
  std::unique_ptr<Solver> flagged_;  // the solver that is named, or auto's usual one: it took the flags
  JsonValue settings_;               // those that were given
};

}  // namespace hinge
