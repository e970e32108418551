// Reads sequences with or without the label that says whether they hold a motif. FASTA has none:
//
//     >name and whatever else
//     ACGTACGT
//     ACGT
//
// so a label comes with the file, or is hidden. The other form has one sequence a line, behind a first line
// that may say how many there are (that of svm_motif_learn, Yu & Joachims 2009):
//
//     name:label:full:sequence
//
// label is 1 (or +1), -1, or ? for hidden; full is 0 for a sequence that is there for the background alone,
// whose loss counts less (--background-weight), else 1. The name may hold colons itself.
#pragma once

#include <string>
#include <vector>

#include "hinge/tasks/example_cutter.h"
#include "hinge/tasks/motif/records.h"
#include "hinge/tasks/selection.h"

namespace hinge {

struct SequenceFiles {
  std::vector<std::string> any, positive, negative;  // positive and negative ones are FASTA
};

// The selected sequences of all files. Each must be as long as `shortest`.
MotifRecords read_sequences(const SequenceFiles& files, const Alphabet& alphabet, std::size_t shortest,
                            const Selection& selection = {});

// Where files of either form may be cut. What the first line of the second announces is only looked at in a whole file.
MakeCutter cut_sequences();

}  // namespace hinge
