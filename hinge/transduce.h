// A task of your own, learned from labelled examples, unlabelled inputs and prior knowledge in one call:
//
//     const Knowledge knowledge = …;                  // of the labelled examples, then of the unlabelled inputs
//     const Transduced found = transduce(task, labelled, unlabelled, knowledge, {.method = "transductive"}, {.C2 = 10});
//
// Features are binary (inference/constraints.h). Tasks of chains serve features of positions, pairs and wholes;
// those of one choice or of graphs serve features of positions.
#pragma once

#include "hinge/oracle/guided_examples.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/solvers/solver.h"
#include "hinge/training/transduction.h"

namespace hinge {

template <GuidableTask T>
Transduced transduce(const T& task, std::span<const Example<T>> labelled,
                     std::span<const typename T::Input> unlabelled, const Knowledge& knowledge,
                     const TrainingOptions& options = {.method = "transductive"},
                     const TransductionOptions& transduction = {}) {
  options.check_consistency();
  std::vector<const typename T::Input*> inputs;
  for (const auto& x : unlabelled) inputs.push_back(&x);
  const GuidedExamples<T> examples(task, labelled, inputs, knowledge, transduction.rule_features,
                                   transduction.guided_settings());
  const auto executor = make_executor(static_cast<std::size_t>(options.threads));
  ObserverWatch watch(options.watch);
  return transduce({.labelled = &examples.labelled(), .unlabelled = examples.unlabelled()}, options,
                   transduction, *make_solver(transduction_choice(options), options.seed, options.settings),
                   *executor, watch);
}

}  // namespace hinge
