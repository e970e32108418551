// What a rank tells of its sequences (shared_records.h): whether some hold the motif, and whether some do not.
#pragma once

#include <algorithm>

#include "hinge/core/snapshot.h"
#include "hinge/tasks/motif/records.h"

namespace hinge {

class ToldMotifs {
 public:
  ToldMotifs() = default;
  explicit ToldMotifs(const MotifRecords& records)
      : with_(has(records, true)), without_(has(records, false)) {}
  static bool has(const MotifRecords& records, bool motif) {
    return std::ranges::any_of(records, [=](const MotifRecord& record) { return record.has_motif == motif; });
  }
  void keep(Snapshot& snapshot) { snapshot(with_, without_); }
  void add_to(MotifRecords& all) const {
    for (const auto& [there, motif] : {std::pair(with_, true), {without_, false}})
      if (there) all.emplace_back().has_motif = motif;
  }

 private:
  bool with_ = false, without_ = false;
};

// The sequences themselves, of which first weights are made.
class ToldSymbols {
 public:
  void add(const std::vector<Alphabet::Symbol>& symbols, int label, double weight) {
    sequences_.push_back({symbols, label, weight});
  }
  void keep(Snapshot& snapshot) { snapshot(sequences_); }
  template <class Take>
  void for_each(const Take& take) {
    for (Told& one : sequences_) take(std::move(one.symbols), one.label, one.weight);
  }

 private:
  struct Told {
    std::vector<Alphabet::Symbol> symbols;
    int label = 0;
    double weight = 1;
    void keep(Snapshot& snapshot) { snapshot(symbols, label, weight); }
  };
  std::vector<Told> sequences_;
};

}  // namespace hinge
