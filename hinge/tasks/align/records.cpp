#include "hinge/tasks/align/records.h"

#include <fmt/format.h>

#include <algorithm>

namespace hinge {
namespace {

// `at` is where the letter stands.
std::string odd_letter(const std::string& letters, const std::string& name, const Alphabet& alphabet,
                       std::size_t& at) {
  if (letters.empty()) return fmt::format("the sequence '{}' has no letter: leave the pair out.", name);
  for (std::size_t& i = at; i < letters.size(); ++i)
    if (alphabet.symbol(letters[i]) == Alphabet::kNone)
      return fmt::format(
          "'{}' (letter {} of '{}') is no letter of {}: use {} and IUPAC's symbols for several of them, or "
          "another "
          "`alphabet`.",
          letters[i], i + 1, name, alphabet.name(), alphabet.letters());
  return {};
}

std::string odd_structure(const std::string& structure, const std::string& letters, const std::string& name) {
  if (structure.empty()) return {};
  if (structure.size() != letters.size())
    return fmt::format(
        "the structure of '{}' is for {} letters, where the sequence has {}: give one for each.", name,
        structure.size(), letters.size());
  const std::size_t odd = structure.find_first_not_of("HE.C?");
  if (odd == std::string::npos) return {};
  return fmt::format(
      "'{}' is no secondary structure of letter {} of '{}': use H (helix), E (strand), . or C (neither), ?.",
      structure[odd], odd + 1, name);
}

}  // namespace

bool has_known_columns(const AlignRecord& r) {
  return !r.gaps2.empty() ||
         std::ranges::any_of(r.partners, [](int partner) { return partner != kUnknownPartner; });
}

std::string trouble_with(const AlignRecord& r, const Alphabet& alphabet, AlignSpot* spot) {
  for (const int sequence : {1, 2}) {
    AlignSpot found{sequence, 0};
    std::string what = sequence == 1 ? odd_letter(r.letters1, r.name1, alphabet, found.at)
                                     : odd_letter(r.letters2, r.name2, alphabet, found.at);
    if (what.empty()) continue;
    if (spot != nullptr) *spot = found;
    return what;
  }
  for (std::string what :
       {odd_structure(r.structure1, r.letters1, r.name1), odd_structure(r.structure2, r.letters2, r.name2)})
    if (!what.empty()) return what;
  if (!r.partners.empty() && r.partners.size() != r.letters1.size())
    return fmt::format("the reference of '{}' and '{}' is for {} letters, where '{}' has {}.", r.name1,
                       r.name2, r.partners.size(), r.name1, r.letters1.size());
  int last = -1;
  for (std::size_t i = 0; i < r.partners.size(); ++i) {
    const int j = r.partners[i];
    if (j < kUnknownPartner || j >= static_cast<int>(r.letters2.size()))
      return fmt::format("letter {} of '{}' is aligned with letter {} of '{}', which has {}.", i + 1, r.name1,
                         j + 1, r.name2, r.letters2.size());
    if (j < 0) continue;
    if (j <= last)
      return fmt::format(
          "letter {} of '{}' is aligned with letter {} of '{}', but one before it with letter {}: pairs of "
          "an "
          "alignment do not cross.",
          i + 1, r.name1, j + 1, r.name2, last + 1);
    last = j;
  }
  for (const std::size_t j : r.gaps2)
    if (j >= r.letters2.size() || std::ranges::find(r.partners, static_cast<int>(j)) != r.partners.end())
      return fmt::format("letter {} of '{}' cannot stand opposite a gap: there is none, or it is aligned.",
                         j + 1, r.name2);
  return {};
}

AlignRecord aligned_record(std::string_view row1, std::string_view row2, std::string_view known,
                           std::string_view structure1, std::string_view structure2, std::string& trouble) {
  AlignRecord record;
  const std::size_t columns = row1.size();
  if (row2.size() != columns) {
    trouble =
        fmt::format("the rows of an alignment have {} and {} columns: they must be as long as each other.",
                    columns, row2.size());
    return record;
  }
  for (const auto& [other, name] : {std::pair(known, "known columns"),
                                    {structure1, "the first structure"},
                                    {structure2, "the second structure"}})
    if (!other.empty() && other.size() != columns) {
      trouble = fmt::format(
          "the rows of an alignment have {} columns, but that of {} has {}: give one symbol for each.",
          columns, name, other.size());
      return record;
    }
  if (const std::size_t odd = known.find_first_not_of("01x"); odd != known.npos) {
    trouble = fmt::format(
        "'{}' (column {}) does not say whether a column is known: write 1 where its alignment is known, 0 or "
        "x "
        "where not.",
        known[odd], odd + 1);
    return record;
  }
  for (std::size_t c = 0; c < columns; ++c) {
    const bool one = !is_gap(row1[c]), two = !is_gap(row2[c]), told = known.empty() || known[c] == '1';
    if (one) {
      record.partners.push_back(!told ? kUnknownPartner
                                : two ? static_cast<int>(record.letters2.size())
                                      : kGap);
      record.letters1 += row1[c];
      if (!structure1.empty()) record.structure1 += structure1[c];
    } else if (two && told) {
      record.gaps2.push_back(record.letters2.size());
    }
    if (!two) continue;
    record.letters2 += row2[c];
    if (!structure2.empty()) record.structure2 += structure2[c];
  }
  return record;
}

}  // namespace hinge
