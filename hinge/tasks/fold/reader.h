// Reads sequences of RNA with their folds, in one of four forms that the first line tells apart:
//
//     >NAME                     dot-bracket: ( and ) for a pair, . for a letter without, ? for one of which nothing is known;
//     LETTERS                   [ ], { }, < > and Aa … Zz are pairs too, that may cross those. Below a name letters may go over
//     STRUCTURE                 several lines, and the structure too. The name and the structure may be missing. Lines that
//                               begin with ';' or '#' are comments.
//
//     N NAME                    .ct: a line each for N letters: number, letter, number − 1, number + 1, partner (0: none), number
//     1 G 0 2 7 1
//
//     1 G 7                     .bpseq: number, letter, partner (0: none); a sequence begins where the numbers begin again.
//                               Headings as "Organism: ..." are skipped.
//
//     ID KIND ORGANISM LENGTH LETTERS STRUCTURE       with tabs between
#pragma once

#include "hinge/tasks/fold/records.h"
#include "hinge/tasks/selection.h"

namespace hinge {

// Where pairs cross, `drop_crossing` leaves some out, else that is an error.
FoldRecords read_folds(const std::vector<std::string>& files, bool drop_crossing,
                       const Selection& selection = {});

}  // namespace hinge
