// Drafts of graphs that are spread over ranks, each of which has read its own: what a schema is made of gets the numbers
// and kinds that one process would give it, which meets all graphs in order.
#pragma once

#include "hinge/core/ranks.h"
#include "hinge/tasks/graph/draft.h"
#include "hinge/tasks/graph/schema.h"

namespace hinge {

// Numbers features, types and texts of labels for all ranks, and renumbers this rank's drafts.
void merge_drafts(Ranks& ranks, GraphSchema& schema, StringTable& labels, std::vector<GraphDraft>& drafts);

// The largest of all ranks, item by item.
void largest_of_ranks(Ranks& ranks, std::vector<float>& values);
std::size_t largest_of_ranks(Ranks& ranks, std::size_t value);

// Kinds of all ranks, each once, in the order of ranks; what a rank's own numbers become.
template <class Kind>
std::vector<Index> merge_kinds(Ranks& ranks, std::vector<Kind>& kinds);

// Those of the first rank that has any.
template <class Kind>
void take_first_kinds(Ranks& ranks, std::vector<Kind>& kinds);

}  // namespace hinge
