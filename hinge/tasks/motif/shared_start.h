// First weights where ranks share the sequences.
#pragma once

#include "hinge/core/ranks.h"
#include "hinge/oracle/rank_oracle.h"
#include "hinge/tasks/motif/examples.h"

namespace hinge {

// Words are looked up in all sequences: for as long as that takes, every rank has the letters of all. `own`, this rank's
// examples, and `ranks` must outlive what is returned.
RankOracle::Start shared_start(std::shared_ptr<const MotifTask> task, const MotifData& own, Ranks& ranks);

}  // namespace hinge
