// Two classes, learned for a measure of the whole, for the command line and the bindings: svmlight files or
// records in, one class a line out.
#pragma once

#include <memory>

#include "hinge/tasks/binary/records.h"
#include "hinge/tasks/record_task.h"

namespace hinge {

std::unique_ptr<RecordTask<BinaryRecords>> make_binary();

}  // namespace hinge
