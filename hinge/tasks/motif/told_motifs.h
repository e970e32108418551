// What a rank tells of its sequences: whether some hold the motif, and whether some do not.
#pragma once

#include "hinge/tasks/motif/records.h"
#include "hinge/tasks/told_facts.h"

namespace hinge {

template <bool motif>
struct OfMotif {
  static bool of(const MotifRecords& records) { return has_class(records, motif); }
  static void add_to(MotifRecords& all) { all.emplace_back().has_motif = motif; }
};
using ToldMotifs = ToldFacts<MotifRecords, OfMotif<true>, OfMotif<false>>;

}  // namespace hinge
