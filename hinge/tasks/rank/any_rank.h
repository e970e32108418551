// The task `rank` for the command line and the bindings: graded documents of queries in, a score a line out.
#pragma once

#include <memory>

#include "hinge/tasks/rank/records.h"
#include "hinge/tasks/record_task.h"

namespace hinge {

std::unique_ptr<RecordTask<RankRecords>> make_rank();

}  // namespace hinge
