// What a rank tells of its records where yes and no are all that a schema looks for (shared_records.h). A fact has
//
//     static bool of(const Records&)             whether it holds of some record
//     static void add_to(Records& all)           adds a record of which it holds
#pragma once

#include <array>

#include "hinge/core/snapshot.h"

namespace hinge {

template <class Records, class... Facts>
class ToldFacts {
 public:
  ToldFacts() = default;
  explicit ToldFacts(const Records& records) : holds_{Facts::of(records)...} {}
  void keep(Snapshot& snapshot) { snapshot(holds_); }
  void add_to(Records& all) const {
    const bool* holds = holds_.data();
    ((*holds++ ? Facts::add_to(all) : void()), ...);
  }

 private:
  std::array<bool, sizeof...(Facts)> holds_{};
};

}  // namespace hinge
