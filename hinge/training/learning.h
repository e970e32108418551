// Everything at once: C is chosen where there is a choice, the solver too, and what they give on all the data
// is the answer.
//
//     C one number, or none     train
//     C several numbers         `folds` folds (5) are held out in turn; the C with the least mean loss trains
//     C auto                    a tenth is held out; see choose_c.h
#pragma once

#include "hinge/training/choose_c.h"
#include "hinge/training/cross_validate.h"
#include "hinge/training/fit.h"

namespace hinge {

struct Learned {
  Summary run;  // with the weights
  double C = 0;
  SolverChoice choice;
  CrossValidation compared;  // where folds chose
};

Learned learn(const Oracle& oracle, const HoldOut& hold_out, const TrainingOptions& options,
              Executor& executor, Watch& watch);

}  // namespace hinge
