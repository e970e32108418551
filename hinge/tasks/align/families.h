// Families of pairs of sequences.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "hinge/core/ranks.h"
#include "hinge/tasks/align/records.h"

namespace hinge {

// How many there are, as a fact about the data.
nlohmann::json family_facts(const AlignRecords& pairs);

// The number of each pair's family, in the order of first appearance.
std::vector<std::size_t> number_families(const AlignRecords& pairs);

// Lets families weigh the same; the mean weight stays 1. `ranks` have other pairs of the same data, null where nobody has.
void balance_families(AlignRecords& pairs, Ranks* ranks);

}  // namespace hinge
