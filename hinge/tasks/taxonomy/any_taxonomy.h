// Classes of a taxonomy for the command line and the bindings: svmlight files or records in, one class a line
// out.
#pragma once

#include <memory>

#include "hinge/tasks/record_task.h"
#include "hinge/tasks/taxonomy/records.h"

namespace hinge {

std::unique_ptr<RecordTask<TaxonomyRecords>> make_taxonomy();

}  // namespace hinge
