// The task `rank` for the command line: graded documents of queries in, a score a line out.
#pragma once

#include <memory>

#include "hinge/tasks/any_task.h"

namespace hinge {

std::unique_ptr<AnyTask> make_rank();

}  // namespace hinge
