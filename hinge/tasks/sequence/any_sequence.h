// The task `sequence` for the command line and the bindings: sequences in, a label for each position out.
//
//     const SequenceRecords records = {[&](CorpusBuilder& builder) {
//       builder.attribute("word=Ann");
//       builder.token("NAME");
//       builder.attribute("word=ran");
//       builder.token(std::nullopt);  // nobody knows
//       builder.end_sequence();
//     }};
#pragma once

#include <memory>

#include "hinge/tasks/record_task.h"
#include "hinge/tasks/sequence/corpus.h"

namespace hinge {

using SequenceRecords = RecordSource<CorpusBuilder>;

std::unique_ptr<RecordTask<SequenceRecords>> make_sequence();

}  // namespace hinge
