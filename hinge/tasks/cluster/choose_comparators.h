// Which comparators the items of documents have fields for.
#pragma once

#include "hinge/tasks/cluster/comparators.h"
#include "hinge/tasks/cluster/records.h"

namespace hinge {

struct ChosenComparators {
  std::vector<std::string> kept, left_out;
};

// Those that were asked for, whose fields must be there, and of `mentions` (or where nothing was asked for)
// those whose fields are; the others of `mentions` are left out. Throws InputError where no pair would have
// features.
ChosenComparators choose_comparators(const std::vector<std::string>& asked, const ClusterRecords& records);

// Those of the comparators with a field that no item has.
std::vector<std::string> without_fields(const std::vector<std::string>& comparators,
                                        const ClusterRecords& records);

}  // namespace hinge
