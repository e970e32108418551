// What files of sequence pairs say: letters, secondary structure and the reference alignment, where they are known.
#pragma once

#include <string>
#include <vector>

#include "hinge/inference/alignment_scores.h"
#include "hinge/tasks/motif/alphabet.h"
#include "hinge/tasks/record_place.h"

namespace hinge {

inline constexpr int kUnknownPartner = -2;

struct AlignRecord {
  std::string family;  // pairs of one family are never split between folds; empty: of its own
  std::string name1, name2;
  std::string letters1, letters2;                // without gaps
  std::string structure1 = {}, structure2 = {};  // H, E, . or ? a letter; empty: not known
  // For each letter of the first the letter of the second opposite, kGap, or kUnknownPartner; empty: all unknown.
  std::vector<int> partners = {};
  // Letters of the second that are known to stand opposite a gap, where not all of the first are known.
  std::vector<std::size_t> gaps2 = {};
  double weight = 1;
  RecordPlace place = {};

  std::string family_name() const { return family.empty() ? name1 + " and " + name2 : family; }
};
using AlignRecords = std::vector<AlignRecord>;

// In rows of an alignment.
inline bool is_gap(char c) { return c == '-' || c == '.'; }

// Whether something is known of its alignment.
bool has_known_columns(const AlignRecord& record);

// What of a record a sentence is about: a letter of one of its sequences, or the first of those there should be.
struct AlignSpot {
  int sequence = 0;  // 1 or 2; 0: the record
  std::size_t at = 0;
};
// What is wrong with a record, a sentence; empty where nothing is.
std::string trouble_with(const AlignRecord& record, const Alphabet& alphabet, AlignSpot* spot = nullptr);

// The record of two rows of one length, letters and gaps ('-' or '.'), and of what is known of their columns: '1'
// for those whose alignment is, all where `known` is empty. Structures, where there are any, are as long as rows. What
// is wrong with them goes into `trouble`.
AlignRecord aligned_record(std::string_view row1, std::string_view row2, std::string_view known,
                           std::string_view structure1, std::string_view structure2, std::string& trouble);

}  // namespace hinge
