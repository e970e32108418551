// Going on from a model: its task's options, and its weights under the features of new data.
#pragma once

#include <functional>

#include "hinge/training/model.h"

namespace hinge {

// Sets the options of `task` to those of the model, but for those that were given. Throws InputError when the
// model is of another task.
void take_options(const Model& model, AnyTask& task,
                  const std::function<bool(const std::string& name)>& given);

// The model's weights for the features of `task`, matched by name; 0 where the model lacks one. Throws InputError when
// one has a kernel that the other has not.
Vector carry_over(const Model& model, const AnyTask& task, std::size_t dimension);

}  // namespace hinge
