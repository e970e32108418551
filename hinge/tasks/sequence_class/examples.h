// Makes examples of records, with what the schema of training knows, and counts what it does not.
#pragma once

#include "hinge/tasks/sequence_class/schema.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

using FramesData = RecordData<ClassNames, SequenceClassTask>;

std::unique_ptr<Data> make_examples(const SequenceClassSchema& schema, FramesRecords records);

}  // namespace hinge
