#include "hinge/tasks/motif/records.h"

#include <algorithm>

#include "hinge/core/errors.h"

namespace hinge {

bool has_class(const MotifRecords& records, bool motif) {
  return std::ranges::any_of(records, [=](const MotifRecord& record) { return record.has_motif == motif; });
}

std::vector<Alphabet::Symbol> symbols_of(const MotifRecord& record, const Alphabet& alphabet) {
  std::vector<Alphabet::Symbol> symbols(record.letters.size());
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    symbols[i] = alphabet.symbol(record.letters[i]);
    if (symbols[i] == Alphabet::kNone) fail("{}", no_letter(record.letters[i], record, i, alphabet));
  }
  return symbols;
}

std::string no_letter(char c, const MotifRecord& record, std::size_t place, const Alphabet& alphabet) {
  return fmt::format(
      "'{}' (letter {} of '{}') is no letter of {}: use {} and IUPAC's symbols for several of them{}.", c,
      place + 1, record.name, alphabet.name(), alphabet.letters(),
      alphabet.has_strands() ? ", or `alphabet` protein" : "");
}

std::string too_short(const MotifRecord& record, std::size_t length) {
  return fmt::format(
      "'{}' has {} letters, too few for a motif of {}: leave it out, or train with a smaller `length`.",
      record.name, record.letters.size(), length);
}

}  // namespace hinge
