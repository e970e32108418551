// Training from labelled examples, unlabelled ones and rules about these (transduction.h), of a task that has read
// them all:
//
//     task.keep_tokens(true), task.add_labels(declared_labels(rules));     // before they are read
//     const GuidedFitted fitted = fit_guided({task, *data, labelled, rules, options, {}, solver, executor}, watch, note);
#pragma once

#include "hinge/rules/rules.h"
#include "hinge/tasks/powers.h"
#include "hinge/training/fit.h"
#include "hinge/training/transduction.h"

namespace hinge {

struct GuidedProblem {
  AnyTask& task;  // which is Guidable
  const Data& data;
  std::size_t labelled;  // examples, before those that have no label
  const Rules& rules;
  const TrainingOptions& options;
  const TransductionOptions& transduction;
  const Solver& solver;
  Executor& executor;
};

struct GuidedFitted : Fitted {
  double C1 = 0;
  Vector rule_weights;  // where rules have some
};

// The power of the task; throws InputError where it does not learn from unlabelled examples and rules.
const Guidable& guidable_of(const AnyTask& task);

// `note` gets lines about rules and rounds.
GuidedFitted fit_guided(const GuidedProblem& problem, Watch& watch,
                        const std::function<void(const std::string&)>& note);

}  // namespace hinge
