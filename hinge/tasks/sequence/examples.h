// Makes examples of a corpus, and tells what it holds and what the schema of training lacks.
#pragma once

#include "hinge/tasks/sequence/shared_corpus.h"
#include "hinge/tasks/sequence/weights.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

// Beside the corpus, whose inputs the examples took.
using SequenceData = RecordData<SequenceCorpus, SequenceTask, ContextTask>;

// The corpus was prepared by the weights.
std::unique_ptr<Data> make_examples(const SequenceWeights& weights, SequenceCorpus corpus);

// Of one rank's share, seen as all of the data. Throws InputError about a sequence that the options leave no labelling.
std::unique_ptr<Data> make_shared_examples(const SequenceWeights& weights, SharedCorpus shared,
                                           const SequenceModel& options, Ranks& ranks);

}  // namespace hinge
