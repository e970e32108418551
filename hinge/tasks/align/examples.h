// Makes examples of records, with what the schema of training knows.
#pragma once

#include "hinge/tasks/align/records.h"
#include "hinge/tasks/align/schema.h"
#include "hinge/tasks/shared_records.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

using PairTexts = std::vector<AlignRecord>;  // without their labels
using AlignData = RecordData<PairTexts, AlignTask>;

// Every pair has a family then. Throws InputError about one that would take more than `max_memory` megabytes.
std::unique_ptr<Data> make_examples(const AlignSchema& schema, double max_memory, AlignRecords records);

// How many bytes of `most` megabytes the cells of a list of the pair's best alignments leave. Throws InputError where these take
// more.
double room_for_list(const AlignRecord& pair, double most);
// Throws InputError about a list of the k best, of which `listed` took `most` megabytes.
[[noreturn]] void refuse_long_list(const AlignRecord& pair, std::size_t k, std::size_t listed, double most);

// First weights from what all ranks count. The data is this rank's, and outlives them.
RankOracle::Start start_from_all(std::shared_ptr<const AlignTask> task, const AlignData& own, Ranks& ranks);

}  // namespace hinge
