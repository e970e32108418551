// Hinge: learning structured predictors. This is all that a program needs; docs/cpp.md tells how to begin,
// docs/your-own-task.md what a task is.
//
//     const auto model = hinge::learn(Matching{}, train, {.method = "ssvm", .C = {1, 10, 100}, .folds = 5});
//     std::cout << model.summary.brief() << ", loss " << model.loss(test) << '\n';
//     model.save("matching.model");
//     const auto again = hinge::load<Matching>("matching.model");
//     const auto s = again.predict(test[0].input);
#pragma once

#include "hinge/command_line.h"
#include "hinge/core/random.h"
#include "hinge/core/smooth_max.h"
#include "hinge/core/text_file.h"
#include "hinge/learn.h"
#include "hinge/learning/limits.h"
#include "hinge/oracle/check_task.h"
#include "hinge/oracle/task.h"
#include "hinge/oracle/task_oracle.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/register_task.h"
#include "hinge/solvers/solver.h"
#include "hinge/version.h"
#include "hinge/watch/monitor.h"
