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

#include "hinge/oracle/decoding.h"
#include "hinge/tasks/sequence/options.h"

namespace hinge {

struct Tagging {
  Labels labels;
  double score = 0;
};

// Throws InputError about what cannot be written: together, of labels with several states, of labellings that rules
// guide, or in the format of the data.
void refuse_output(const SequenceOutput& output, const SequenceSchema& schema, int states,
                   const Decoding& decoding, bool guided);

// Puts the labellings of `top` that differ from best[0] behind it, as many together as `top` has. Where
// several labellings score the same, or a beam has missed the best one, best[0] need not be the first
// there.
void add_others(std::vector<Tagging> top, std::vector<Tagging>& best);

// Appends one sequence to `out`. `best` is in descending order of score; `marginals` is empty or has a row of
// the schema's labels for each position.
void append_prediction(const SequenceCorpus& corpus, const SequenceSchema& schema, std::size_t sequence,
                       std::span<const Tagging> best, std::span<const double> marginals, bool scores,
                       std::string& out);

}  // namespace hinge
