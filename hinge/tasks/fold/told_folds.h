// What a rank tells of its folded sequences (shared_records.h): whether the fold of some is known.
#pragma once

#include <algorithm>

#include "hinge/core/snapshot.h"
#include "hinge/tasks/fold/records.h"

namespace hinge {

class ToldFolds {
 public:
  ToldFolds() = default;
  explicit ToldFolds(const FoldRecords& records)
      : known_(std::ranges::any_of(records, [](const FoldRecord& r) { return !r.partners.empty(); })) {}
  void keep(Snapshot& snapshot) { snapshot(known_); }
  void add_to(FoldRecords& all) const {
    if (known_) all.push_back({.name = {}, .letters = "A", .partners = {kUnpaired}});
  }

 private:
  bool known_ = false;
};

}  // namespace hinge
