// Where ranks have examples of their own (rank_oracle.h): the oracle that says which, behind whatever decorates it.
#pragma once

#include "hinge/oracle/forwarding_oracle.h"
#include "hinge/oracle/rank_oracle.h"

namespace hinge {

// Null where this process has all examples.
inline const RankOracle* spread_oracle(const Oracle& oracle) {
  if (const auto* const decorated = dynamic_cast<const ForwardingOracle*>(&oracle))
    return spread_oracle(decorated->behind());
  return dynamic_cast<const RankOracle*>(&oracle);
}
// The oracle of the examples that this process has.
inline const Oracle& own_oracle(const Oracle& oracle) {
  const RankOracle* const spread = spread_oracle(oracle);
  return spread != nullptr ? spread->own() : oracle;
}

}  // namespace hinge
