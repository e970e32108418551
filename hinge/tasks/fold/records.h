// What files of folded sequences say: letters, and which are paired, where that is known.
#pragma once

#include <string>
#include <vector>

#include "hinge/inference/fold_scores.h"
#include "hinge/tasks/record_place.h"

namespace hinge {

inline constexpr int kUnknownPair = -2;

struct FoldRecord {
  std::string name;
  std::string letters;
  // For each letter its partner, kUnpaired or kUnknownPair; empty: all unknown.
  std::vector<int> partners = {};
  double weight = 1;
  RecordPlace place = {};
};
using FoldRecords = std::vector<FoldRecord>;

// 0 … 3 for A, C, G, U (or T), 4 for IUPAC's symbols for several; kNoLetter for anything else. Small letters are the same.
inline constexpr std::uint8_t kNoLetter = 0xff;
std::uint8_t rna_letter(char c);

// Whether something is known of its fold.
bool has_known_fold(const FoldRecord& record);

// What of a record a sentence is about.
struct FoldSpot {
  enum Of { record, letter, partner } of = record;
  std::size_t at = 0;  // the first letter that it is about
};
// What is wrong with a record, a sentence; empty where nothing is. Pairs may cross only where `crossing` says so.
std::string trouble_with(const FoldRecord& record, bool crossing = false, FoldSpot* spot = nullptr);

// Pairs that cross none of those before them; the letters of the others become unknown. Returns how many were left out.
std::size_t leave_out_crossing(FoldRecord& record);

// "((..?))": ( and ) for pairs, . for letters without one, ? where nothing is known.
std::string dot_bracket(const std::vector<int>& partners);

}  // namespace hinge
