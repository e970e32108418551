// Supervised clustering, coreference, for the command line and the bindings: documents in, the same with
// clusters out.
#pragma once

#include <memory>

#include "hinge/tasks/cluster/records.h"
#include "hinge/tasks/record_task.h"

namespace hinge {

std::unique_ptr<RecordTask<ClusterRecords>> make_cluster();

}  // namespace hinge
