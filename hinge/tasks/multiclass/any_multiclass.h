// Multiclass classification for the command line and the bindings: svmlight files in, one class a line out.
#pragma once

#include <memory>

#include "hinge/tasks/any_task.h"

namespace hinge {

std::unique_ptr<AnyTask> make_multiclass();

}  // namespace hinge
