// Makes examples of records, with what the schema of training knows.
#pragma once

#include "hinge/tasks/motif/records.h"
#include "hinge/tasks/motif/schema.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

using MotifData = RecordData<std::vector<std::string>, MotifTask>;  // with the names of the sequences

// The options say how much sequences weigh.
std::unique_ptr<Data> make_examples(const MotifSchema& schema, const MotifModel& options,
                                    MotifRecords records);

}  // namespace hinge
