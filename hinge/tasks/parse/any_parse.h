// Trees of sentences for the command line and the bindings: trees in brackets or words in, trees in brackets out.
#pragma once

#include <memory>

#include "hinge/tasks/parse/records.h"
#include "hinge/tasks/record_task.h"

namespace hinge {

std::unique_ptr<RecordTask<ParseRecords>> make_parse();

}  // namespace hinge
