// What a rank tells of its pairs of sequences (shared_records.h): their families, whether some of an alignment is known, and
// whether some have secondary structure.
#pragma once

#include <map>

#include "hinge/core/snapshot.h"
#include "hinge/tasks/align/records.h"

namespace hinge {

class ToldPairs {
 public:
  ToldPairs() = default;
  explicit ToldPairs(const AlignRecords& records) {
    std::map<std::string, std::size_t> families;
    for (const AlignRecord& record : records) {
      aligned_ = aligned_ || has_known_columns(record);
      structured_ = structured_ || !record.structure1.empty() || !record.structure2.empty();
      ++families[record.family_name()];
    }
    families_.assign(families.begin(), families.end());
  }
  void keep(Snapshot& snapshot) { snapshot(aligned_, structured_, families_); }

  void add_to(AlignRecords& all) const {
    for (const auto& [family, pairs] : families_)
      for (std::size_t k = 0; k < pairs; ++k) {
        AlignRecord& record = all.emplace_back();
        record.family = family;
        if (aligned_) record.partners = {kGap};
        if (structured_) record.structure1.push_back('?');
      }
  }

 private:
  bool aligned_ = false, structured_ = false;
  std::vector<std::pair<std::string, std::size_t>> families_;  // and how many pairs each has
};

}  // namespace hinge
