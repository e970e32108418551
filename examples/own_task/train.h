// What is the same for the programs of this folder: learn with a solver and a method chosen by name, test.
//
//     program [SOLVER [METHOD]]      e.g.  program frank_wolfe ssvm
#pragma once

#include <fmt/core.h>
#include <hinge/hinge.h>

// Returns the exit code: 0 when what was learned beats zero weights, 2 when the method is refused.
template <class Task>
int train_and_test(Task task, const std::vector<hinge::Example<Task>>& train,
                   const std::vector<hinge::Example<Task>>& test, int argc, char** argv,
                   hinge::TrainingOptions options = {}) try {
  if (argc > 1) options.solver = argv[1];
  if (argc > 2) options.method = argv[2];
  options.C = 100;
  hinge::Trained<Task> model = hinge::learn(std::move(task), train, options);
  const double after = model.loss(test);
  fmt::print("{}\n", model.summary.brief());
  model.weights.assign(model.weights.size(), 0);
  const double before = model.loss(test);
  fmt::print("mean loss on {} new examples: {:.3f} with zero weights, {:.3f} learned\n", test.size(), before,
             after);
  return after < before ? 0 : 1;
} catch (const hinge::InputError& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}
