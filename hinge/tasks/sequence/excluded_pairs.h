// Pairs of neighbouring labels that no labelling may have: those that `forbidden` names, FROM>TO, and behind each
// FROM that `required` names all but the labels that it names behind it. Their score is −∞, whatever the weights.
#pragma once

#include <string>
#include <vector>

#include "hinge/tasks/sequence/corpus.h"

namespace hinge {

// Of from · K + to. Throws InputError for an item that does not name two labels.
std::vector<bool> excluded_pairs(const std::vector<std::string>& forbidden,
                                 const std::vector<std::string>& required, const StringTable& labels);

// Throws InputError about the first sequence whose labels, as far as they are known, leave it no labelling, and where
// there is none of long sequences, whatever their labels.
// `before_corpus`: sequences of the data that are not in the corpus and stand before it.
void refuse_excluded(const std::vector<bool>& excluded, const SequenceCorpus& corpus,
                     const StringTable& labels, std::size_t before_corpus = 0);

}  // namespace hinge
