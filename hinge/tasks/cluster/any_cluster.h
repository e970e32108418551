// Supervised clustering, coreference, as the command line sees it.
#pragma once

#include <memory>

#include "hinge/tasks/any_task.h"

namespace hinge {

std::unique_ptr<AnyTask> make_cluster();

}  // namespace hinge
