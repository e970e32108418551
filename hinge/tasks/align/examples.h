// Makes examples of records, with what the schema of training knows.
#pragma once

#include "hinge/tasks/align/records.h"
#include "hinge/tasks/align/schema.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

using PairTexts = std::vector<AlignRecord>;  // without their labels
using AlignData = RecordData<PairTexts, AlignTask>;

// Every pair has a family then. Throws InputError about one that would take more than `max_memory` megabytes.
std::unique_ptr<Data> make_examples(const AlignSchema& schema, double max_memory, AlignRecords records);

// Throws InputError where `doing` something with the pair takes more than `most` megabytes.
void refuse_large(const AlignRecord& pair, double bytes, double most, const char* doing);

}  // namespace hinge
