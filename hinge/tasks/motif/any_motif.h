// The task `motif` for the command line: sequences in; class, place of the motif and scores out.
#pragma once

#include <memory>

#include "hinge/tasks/any_task.h"

namespace hinge {

std::unique_ptr<AnyTask> make_motif();

}  // namespace hinge
