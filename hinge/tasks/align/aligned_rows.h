// An alignment as two rows of letters and gaps: as text, and to be looked at.
#pragma once

#include <string>

#include "hinge/tasks/align/records.h"
#include "hinge/tasks/views.h"

namespace hinge {

struct AlignedRows {
  std::string first, second;
  std::vector<std::pair<int, int>> letters;  // of each column, kGap where there is none
};

// Letters in capitals, but for those before and behind a local alignment.
AlignedRows aligned_rows(const std::string& letters1, const std::string& letters2, const Partners& partners,
                         bool local);

// FASTA of both rows.
void append_alignment(const AlignRecord& record, const Partners& s, bool local, std::string& text);

// `probable` are pairs of letters, by how probable each is.
AlignmentView alignment_view(const AlignRecord& record, const Partners& s, bool local,
                             const std::vector<PairProbability>& probable);

}  // namespace hinge
