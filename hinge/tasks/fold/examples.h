// Makes examples of records, with what the schema of training knows.
#pragma once

#include "hinge/tasks/fold/records.h"
#include "hinge/tasks/fold/schema.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

using FoldData = RecordData<FoldRecords, FoldTask>;

// Throws InputError about a sequence that would take more memory than the options allow.
std::unique_ptr<Data> make_examples(const FoldSchema& schema, const FoldReading& options,
                                    FoldRecords records);

// Throws InputError about a list of the sequence's k best folds, of which `listed` took `most` megabytes.
[[noreturn]] void refuse_long_list(const FoldRecord& record, std::size_t k, std::size_t listed, double most);

}  // namespace hinge
