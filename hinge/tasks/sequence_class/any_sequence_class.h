// The task `sequence-class` for the command line and the bindings: frames in, a class a line out.
#pragma once

#include <memory>

#include "hinge/tasks/record_task.h"
#include "hinge/tasks/sequence_class/records.h"

namespace hinge {

std::unique_ptr<RecordTask<FramesRecords>> make_sequence_class();

}  // namespace hinge
