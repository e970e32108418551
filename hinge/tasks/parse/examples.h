// Makes examples of records, with what the schema of training knows, and counts what the grammar lacks.
#pragma once

#include "hinge/tasks/parse/schema.h"
#include "hinge/tasks/shared_records.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

using ParseData = RecordData<std::vector<SentenceTree>, ParseTask>;

// Of `training` data, sentences for which the grammar has no tree that agrees with what is known are taken for words
// alone, and left out where it has none of those either. Throws InputError where no sentence is left, and about one whose
// chart would take more than `max_memory` MiB.
std::unique_ptr<Data> make_examples(const ParseSchema& schema, ParseRecords records, double max_memory,
                                    bool training);

// First weights from what all ranks count. The data is this rank's, and outlives them.
RankOracle::Start start_from_all(std::shared_ptr<const ParseTask> task, const ParseData& own, Ranks& ranks);

// Throws InputError about a sentence that training would leave out.
void refuse_left_out(const ParseSchema& schema, const ParseRecords& records);

}  // namespace hinge
