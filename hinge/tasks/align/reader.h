// Reads pairs of sequences, in one of two forms that the first line tells apart:
//
//     >NAME                        FASTA, two records a pair. Rows of one length with gaps are its reference
//     LETTERS-AND-GAPS             alignment; columns where a letter is written small are not known. Rows without
//     >NAME                        gaps and of different lengths have no reference.
//     LETTERS-AND-GAPS             Lines that begin with ';' are comments.
//
//     SET FAMILY NAME NAME ROW ROW [KNOWN [STRUCTURE STRUCTURE]]      with tabs between; # begins a comment
//
// KNOWN has a 1 for each column whose alignment is known, STRUCTURE an H, E or . for each letter of its row.
#pragma once

#include "hinge/tasks/align/records.h"
#include "hinge/tasks/example_cutter.h"
#include "hinge/tasks/selection.h"

namespace hinge {

AlignRecords read_pairs(const std::vector<std::string>& files, const Alphabet& alphabet,
                        const Selection& selection = {});

// Where files of either form may be cut.
MakeCutter cut_pairs();

}  // namespace hinge
