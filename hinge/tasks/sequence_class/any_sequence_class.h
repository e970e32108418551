// The task `sequence-class` for the command line: frames in, a class a line out.
#pragma once

#include <memory>

#include "hinge/tasks/any_task.h"

namespace hinge {

std::unique_ptr<AnyTask> make_sequence_class();

}  // namespace hinge
