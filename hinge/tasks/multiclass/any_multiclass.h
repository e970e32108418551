// Multiclass classification for the command line and the bindings: svmlight files or records in, one class a
// line out.
#pragma once

#include <memory>

#include "hinge/tasks/multiclass/records.h"
#include "hinge/tasks/record_task.h"

namespace hinge {

std::unique_ptr<RecordTask<MulticlassRecords>> make_multiclass();

}  // namespace hinge
