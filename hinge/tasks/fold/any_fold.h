// The task `fold` for the command line and the bindings: sequences of RNA in; folds or probabilities of pairs out.
#pragma once

#include <memory>

#include "hinge/tasks/fold/records.h"
#include "hinge/tasks/record_task.h"

namespace hinge {

std::unique_ptr<RecordTask<FoldRecords>> make_fold();

}  // namespace hinge
