// The task `motif` for the command line and the bindings: sequences in; class, place of the motif and scores
// out.
#pragma once

#include <memory>

#include "hinge/tasks/motif/records.h"
#include "hinge/tasks/record_task.h"

namespace hinge {

std::unique_ptr<RecordTask<MotifRecords>> make_motif();

}  // namespace hinge
