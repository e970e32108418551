// An alignment as two rows of letters and gaps.
#pragma once

#include <string>

#include "hinge/inference/alignment_scores.h"

namespace hinge {

struct AlignedRows {
  std::string first, second;
  std::vector<std::pair<int, int>> letters;  // of each column, kGap where there is none
};

// Letters in capitals, but for those before and behind a local alignment.
AlignedRows aligned_rows(const std::string& letters1, const std::string& letters2, const Partners& partners,
                         bool local);

}  // namespace hinge
