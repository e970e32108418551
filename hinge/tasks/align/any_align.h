// The task `align` for the command line and the bindings: pairs of sequences in, alignments or probabilities of
// pairs of letters out.
#pragma once

#include <memory>

#include "hinge/tasks/align/records.h"
#include "hinge/tasks/record_task.h"

namespace hinge {

std::unique_ptr<RecordTask<AlignRecords>> make_align();

}  // namespace hinge
