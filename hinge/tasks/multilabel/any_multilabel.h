// Label sets for the command line and the bindings: LIBSVM's multilabel files or records in, one set a line
// out.
#pragma once

#include <memory>

#include "hinge/tasks/multilabel/records.h"
#include "hinge/tasks/record_task.h"

namespace hinge {

std::unique_ptr<RecordTask<MultilabelRecords>> make_multilabel();

}  // namespace hinge
