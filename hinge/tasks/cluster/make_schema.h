// Makes the schema of training: comparators are chosen by what all documents have, and features numbered as their pairs
// come.
#pragma once

#include "hinge/core/ranks.h"
#include "hinge/tasks/cluster/document.h"
#include "hinge/tasks/cluster/records.h"
#include "hinge/tasks/cluster/schema.h"

namespace hinge {

// Of records, or what was told of them, of all; `own` are this rank's, whose pairs are then known in the numbers of the
// schema: `pairs` has those of each document. `ranks` have the others, null where nobody has. Throws InputError about a
// document without clusters.
std::shared_ptr<const ClusterSchema> make_schema(const ClusterRecords& all, const ClusterRecords& own,
                                                 const ClusterModel& options, Ranks* ranks,
                                                 std::vector<Document>& pairs);

}  // namespace hinge
