// What a rank tells of its folded sequences: whether the fold of some is known.
#pragma once

#include <algorithm>

#include "hinge/tasks/fold/records.h"
#include "hinge/tasks/told_facts.h"

namespace hinge {

struct KnownFold {
  static bool of(const FoldRecords& records) { return std::ranges::any_of(records, has_known_fold); }
  static void add_to(FoldRecords& all) {
    all.push_back({.name = {}, .letters = "A", .partners = {kUnpaired}});
  }
};
using ToldFolds = ToldFacts<FoldRecords, KnownFold>;

}  // namespace hinge
