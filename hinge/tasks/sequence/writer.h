// Writes predictions in the format of the input: beside each token's own text its label, and a blank line
// after each sequence.
//
//     conll      the input's columns, then the predicted label (what CRF++ writes and conlleval reads)
//     conllu     the input's lines, with the predicted label in its column
//     letter     id TAB letter
//     crfsuite   the label
//     svmhmm     the label
//
// With marginals each label is followed by label:probability for every label of the schema; in CoNLL-U they
// stand in MISC, as marginals=label:probability,... With scores, or
// several predictions of one sequence, each is headed by `# k score`, the best first (k = 0).
#pragma once

#include <span>
#include <string>

#include "hinge/tasks/sequence/corpus.h"

namespace hinge {

struct Tagging {
  Labels labels;
  double score = 0;
};

// Appends one sequence to `out`. `best` is in descending order of score; `marginals` is empty or has a row of
// the schema's labels for each position.
void append_prediction(const SequenceCorpus& corpus, const SequenceSchema& schema, std::size_t sequence,
                       std::span<const Tagging> best, std::span<const double> marginals, bool scores,
                       std::string& out);

}  // namespace hinge
