// Labelling of graphs, for the command line and the bindings.
#pragma once

#include <memory>

#include "hinge/tasks/any_task.h"

namespace hinge {

std::unique_ptr<AnyTask> make_graph();

}  // namespace hinge
