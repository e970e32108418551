// Families of pairs of sequences.
#pragma once

#include <map>

#include "hinge/core/ranks.h"
#include "hinge/tasks/align/records.h"

namespace hinge {

// How many pairs each has.
std::map<std::string, std::size_t> family_sizes(const AlignRecords& pairs);

// The number of each pair's family, in the order of first appearance.
std::vector<std::size_t> number_families(const AlignRecords& pairs);

// Lets families weigh the same; the mean weight stays 1. `ranks` have other pairs of the same data, null where nobody has.
void balance_families(AlignRecords& pairs, Ranks* ranks);

}  // namespace hinge
