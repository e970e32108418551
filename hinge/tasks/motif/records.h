// What files of sequences say: letters, and whether they hold a motif, where that is known.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hinge/tasks/motif/alphabet.h"

namespace hinge {

struct MotifRecord {
  std::string name;
  std::string letters;
  std::optional<bool> has_motif;
  bool background_only = false;  // there for the background alone: its loss counts less
  double weight = 1;
};
using MotifRecords = std::vector<MotifRecord>;

// Whether some are known to hold a motif, or not to.
bool has_class(const MotifRecords& records, bool motif);

// The symbols of a record's letters. Throws InputError about a letter that is none of the alphabet's.
std::vector<Alphabet::Symbol> symbols_of(const MotifRecord& record, const Alphabet& alphabet);

// Sentences about records, whoever finds it: the reader says the line besides.
std::string no_letter(char c, const MotifRecord& record, std::size_t place, const Alphabet& alphabet);
std::string too_short(const MotifRecord& record, std::size_t length);

}  // namespace hinge
