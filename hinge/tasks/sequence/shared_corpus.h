// A corpus whose sequences are spread over ranks, each of which has read its own run of them: names get the numbers
// that one process would give them, which meets all sequences in order.
#pragma once

#include "hinge/core/ranks.h"
#include "hinge/oracle/rank_oracle.h"
#include "hinge/tasks/sequence/reader.h"

namespace hinge {

// Makes the schema that of all ranks, and renumbers this rank's corpus by it. Returns what weights are made from, of
// all ranks: for each label a sequence of one position with the attributes that were seen with it, then the labels of
// every run of neighbours. Its tokens are counted, those of all ranks.
SequenceCorpus merge_corpora(Ranks& ranks, SequenceSchema& schema, SequenceCorpus& corpus);

// One rank's share of files, and what all ranks have seen.
struct SharedCorpus {
  SequenceSchema schema;
  SequenceCorpus own, seen;
  RankOracle::Place place;
};
// Each rank reads its own pieces of `shards` (share_files.h), without their text.
SharedCorpus read_shared_corpus(const SequenceReader& reader, const std::vector<std::string>& files,
                                Ranks& ranks, std::size_t shards);

}  // namespace hinge
