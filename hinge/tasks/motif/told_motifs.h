// What a rank tells of its sequences (shared_records.h): whether some hold the motif, and whether some do not.
#pragma once

#include <utility>

#include "hinge/core/snapshot.h"
#include "hinge/tasks/motif/records.h"

namespace hinge {

class ToldMotifs {
 public:
  ToldMotifs() = default;
  explicit ToldMotifs(const MotifRecords& records)
      : with_(has_class(records, true)), without_(has_class(records, false)) {}
  void keep(Snapshot& snapshot) { snapshot(with_, without_); }
  void add_to(MotifRecords& all) const {
    for (const auto& [there, motif] : {std::pair(with_, true), {without_, false}})
      if (there) all.emplace_back().has_motif = motif;
  }

 private:
  bool with_ = false, without_ = false;
};

}  // namespace hinge
