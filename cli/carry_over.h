// Continuing from a model (--init): its task's options, and its weights under the features of new data.
#pragma once

#include "cli/flags.h"
#include "hinge/model/model.h"

namespace hinge {

// Sets the options of `task` that no flag gave to those of the model. Throws InputError when the model is of
// another task.
void take_options(const Model& model, AnyTask& task, const Flags& flags);

// The model's weights for the features of `task`, matched by name; 0 where the model lacks one.
Vector carry_over(const Model& model, const AnyTask& task, std::size_t dimension);

}  // namespace hinge
