// A corpus whose sequences are spread over ranks, each of which has read its own run of them: names get the numbers
// that one process would give them, which meets all sequences in order.
#pragma once

#include "hinge/core/ranks.h"
#include "hinge/tasks/sequence/corpus.h"

namespace hinge {

// Makes the schema that of all ranks, and renumbers this rank's corpus by it. Returns what weights are made from, of
// all ranks: for each label a sequence of one position with the attributes that were seen with it, then the labels of
// every run of neighbours. Its tokens are counted, those of all ranks.
SequenceCorpus merge_corpora(Ranks& ranks, SequenceSchema& schema, SequenceCorpus& corpus);

}  // namespace hinge
